//! The check for dates outside the slate's season.

use sports_domain::{GameKey, Season};

use super::publishing::slate_season;
use crate::{Catalog, Place, Problem, Release};

/// Returns the phrase for an expected date of a season.
pub fn a_date_of(season: Season) -> String {
    let (first, last) = season.years().into_inner();
    let years = if first == last { first.to_string() } else { format!("{first} or {last}") };
    format!("a date of the season {season}, in {years}")
}

/// Returns a problem for every game of the odds, every prediction and every new start under `moved` that lies outside
/// the season.
pub(super) fn out_of_season(release: &Release, catalog: Option<&Catalog>) -> Vec<Problem> {
    let season = slate_season(release, catalog);
    let outside = release.slate_rows().filter(|(_, key, _)| !season.can_have(key.date));
    let outside = outside.map(|(place, key, _)| out(place, "date", key, season));
    let moved = release.moved.iter().filter(|row| !season.can_have(row.value.to.date));
    let moved = moved.map(|row| out(&row.place, "moved", &row.value.to, season));
    let mut problems: Vec<_> = outside.chain(moved).collect();
    if release.season.is_none() {
        let hint = "; a slate of another season names it as `season` in release.json";
        for problem in &mut problems {
            problem.expected.push_str(hint);
        }
    }
    problems
}

fn out(place: &Place, column: &str, key: &GameKey, season: Season) -> Problem {
    Problem::at(place.clone(), a_date_of(season)).in_cell(column, key.date.to_string())
}
