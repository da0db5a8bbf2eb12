//! The numbers of a log at which the newest entry is likely.

use sports_publication::Generation;

/// The number of runs considered.
const RUNS: usize = 4;

/// The number of entries considered at the end of each run.
const OF_EACH: usize = 4;

/// Returns the last numbers of the lowest runs of consecutive numbers, in ascending order.
///
/// A publisher takes the first free number after the head. So the newest entries are at the end of a run, unless strays were
/// added right above them since.
pub fn run_ends(numbers: &[Generation]) -> Vec<Generation> {
    let runs = numbers.chunk_by(|number, next| number.next() == *next).take(RUNS);
    runs.flat_map(|run| &run[run.len().saturating_sub(OF_EACH)..]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_numbers_of_the_lowest_runs_are_likely() {
        let ends = |numbers: &[u64]| {
            let numbers: Vec<_> = numbers.iter().filter_map(|number| Generation::new(*number)).collect();
            run_ends(&numbers).into_iter().map(Generation::get).collect::<Vec<_>>()
        };
        assert_eq!(ends(&[]), [0; 0]);
        assert_eq!(ends(&[3]), [3]);
        assert_eq!(ends(&[1, 2, 3, 4, 5, 6, 9, 20, 21]), [3, 4, 5, 6, 9, 20, 21]);
        assert_eq!(ends(&[1, 3, 5, 7, 9, 11]), [1, 3, 5, 7]);
    }
}
