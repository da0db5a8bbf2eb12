use crate::corp::{Pool, Pooled};
use crate::interval::count;

/// The number of bins, all of equal width.
pub const BINS: usize = 10;

/// The number of games below which a bin is thin: its rate is not reliable.
pub const THIN: u32 = 10;

/// The games whose probabilities are in one tenth of the range from 0 to 1. A bin includes its lower edge and
/// excludes its upper edge; the last includes 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lower edge.
    pub from: f64,
    /// The upper edge.
    pub to: f64,
    /// The number of games.
    pub games: u32,
    /// The mean of their probabilities; `None` without games.
    pub mean_p: Option<f64>,
    /// The share of games that the positive side won; `None` without games.
    pub rate: Option<f64>,
}

impl Bin {
    /// Returns `true` if it has fewer games than [`THIN`].
    pub const fn is_thin(&self) -> bool {
        self.games < THIN
    }
}

/// Murphy's decomposition of a Brier score (1973) in ten bins, with the terms within bins of Stephenson, Coelho and Jolliffe
/// (2008): `rel − res + unc + wbv − wbc` is the score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MurphyTerms {
    /// Reliability: the mean squared distance of bins' mean probabilities from their rates. Zero is best.
    pub rel: f64,
    /// Resolution: the mean squared distance of bins' rates from the rate of all games.
    pub res: f64,
    /// Uncertainty: the score of one rate for all games.
    pub unc: f64,
    /// The variance of probabilities within bins.
    pub wbv: f64,
    /// Twice the covariance of probabilities and outcomes within bins.
    pub wbc: f64,
}

/// Returns the index of a probability's bin. It follows the shortest decimal number that parses as the probability:
/// among all numbers that parse as 0.3, the shortest is 0.3.
pub fn bin_index(probability: f64) -> usize {
    (1..BINS).filter(|bin| probability >= edge(*bin)).count()
}

/// Returns the lower edge of a bin, as its decimal number parses.
fn edge(bin: usize) -> f64 {
    count(bin) / count(BINS)
}

/// Forecasts grouped by bin.
pub struct Binned {
    bins: [Vec<Pool>; BINS],
    games: u32,
    unc: f64,
    rate: f64,
}

impl Binned {
    /// Groups forecasts by bin.
    pub fn from_forecasts(forecasts: &Pooled) -> Self {
        let mut bins: [Vec<Pool>; BINS] = Default::default();
        for pool in forecasts.pools() {
            bins[bin_index(pool.probability)].push(*pool);
        }
        let climatology = forecasts.climatology();
        Self { bins, games: forecasts.games(), unc: climatology.brier(), rate: climatology.pools()[0].probability }
    }

    /// Returns every bin, including empty ones.
    pub fn bins(&self) -> [Bin; BINS] {
        std::array::from_fn(|bin| {
            let all = total(&self.bins[bin]);
            let (mean_p, rate) = all.map_or((None, None), |all| (Some(all.probability), Some(all.rate())));
            let games = all.map_or(0, |all| all.games);
            Bin { from: edge(bin), to: edge(bin + 1), games, mean_p, rate }
        })
    }

    /// Returns the mean distance of bins' mean probabilities from their rates, weighted by games.
    pub fn ece(&self) -> f64 {
        self.mean(|all, _| f64::from(all.games) * (all.probability - all.rate()).abs())
    }

    /// Returns Murphy's terms.
    pub fn murphy(&self) -> MurphyTerms {
        let of_bins =
            |distance: &dyn Fn(&Pool) -> f64| self.mean(|all, _| f64::from(all.games) * distance(all).powi(2));
        let within = |term: &dyn Fn(&Pool, &Pool) -> f64| {
            self.mean(|all, pools| {
                pools.iter().map(|pool| (pool.probability - all.probability) * term(pool, all)).sum()
            })
        };
        MurphyTerms {
            rel: of_bins(&|all| all.probability - all.rate()),
            res: of_bins(&|all| all.rate() - self.rate),
            unc: self.unc,
            wbv: within(&|pool, all| f64::from(pool.games) * (pool.probability - all.probability)),
            wbc: 2.0 * within(&|pool, all| f64::from(pool.won) - f64::from(pool.games) * all.rate()),
        }
    }

    /// Returns the sum of a term over bins with games, divided by the number of all games.
    fn mean(&self, of: impl Fn(&Pool, &[Pool]) -> f64) -> f64 {
        let bins = self.bins.iter().filter_map(|pools| Some(of(&total(pools)?, pools)));
        bins.sum::<f64>() / f64::from(self.games)
    }
}

/// Returns the games of a bin as one pool with their mean probability; `None` without games.
fn total(pools: &[Pool]) -> Option<Pool> {
    let games: u32 = pools.iter().map(|pool| pool.games).sum();
    let sum: f64 = pools.iter().map(|pool| f64::from(pool.games) * pool.probability).sum();
    let won = pools.iter().map(|pool| pool.won).sum();
    (games > 0).then(|| Pool { probability: sum / f64::from(games), games, won })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn binned(forecasts: &[(f64, bool)]) -> Binned {
        Binned::from_forecasts(&Pooled::from_forecasts(forecasts.iter().copied()).expect("games"))
    }

    #[test]
    fn an_edge_belongs_to_the_bin_above_it_by_its_decimal_number() {
        let edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
        for (bin, edge) in edges.into_iter().enumerate() {
            assert_eq!(bin_index(edge), bin);
            if bin > 0 {
                // 0.29999999999999993 is below 0.3, though ten times it is 3 in binary arithmetic.
                assert_eq!(bin_index(edge.next_down()), bin - 1, "{edge}");
            }
        }
        assert_eq!(bin_index(1.0), BINS - 1);
    }

    /// Two games at .62 and .68, the first won; one at .35, lost. Means .65 and .35, rates 1/2 and 0; of all 1/3.
    #[test]
    fn the_terms_match_hand_calculation() {
        let binned = binned(&[(0.62, true), (0.68, false), (0.35, false)]);
        let terms = binned.murphy();
        for (term, expected) in [
            // (2 · .0225 + .1225) / 3
            (terms.rel, 0.167_5 / 3.0),
            // (2 · 1/36 + 1/9) / 3
            (terms.res, 0.5 / 9.0),
            (terms.unc, 2.0 / 9.0),
            // (.0009 + .0009) / 3
            (terms.wbv, 0.000_6),
            // 2 (−.03 · .5 + .03 · −.5) / 3
            (terms.wbc, -0.02),
            // (2 · .15 + .35) / 3
            (binned.ece(), 0.65 / 3.0),
        ] {
            assert!((term - expected).abs() < 1e-12, "{terms:?}");
        }
        // (.1444 + .4624 + .1225) / 3
        let score = terms.rel - terms.res + terms.unc + terms.wbv - terms.wbc;
        assert!((score - 0.243_1).abs() < 1e-12, "{score}");
    }

    #[test]
    fn there_are_ten_bins_and_those_with_few_games_are_thin() {
        let forecasts: Vec<_> = (0..10).map(|game| (0.55, game < 4)).chain([(1.0, true)]).collect();
        let bins = binned(&forecasts).bins();
        assert_eq!(bins.iter().map(|bin| bin.games).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 10, 0, 0, 0, 1]);
        assert_eq!(bins.map(|bin| bin.is_thin()), [true, true, true, true, true, false, true, true, true, true]);
        assert_eq!((bins[0].from, bins[0].to, bins[0].mean_p, bins[0].rate), (0.0, 0.1, None, None));
        assert_eq!((bins[5].rate, bins[9].to, bins[9].mean_p), (Some(0.4), 1.0, Some(1.0)));
    }

    proptest! {
        /// The bin is the first decimal of the number's shortest text.
        #[test]
        fn a_bin_is_the_first_decimal_of_the_shortest_form(probability in 0.000_1..1.0_f64) {
            let digit = probability.to_string().chars().nth(2).and_then(|digit| digit.to_digit(10));
            prop_assert_eq!(digit, u32::try_from(bin_index(probability)).ok());
        }
    }
}
