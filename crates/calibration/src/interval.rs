use sports_domain::AmericanPrice;
use statrs::function::beta::beta_reg;

/// The 97.5 percent point of the normal distribution, in standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// An interval between two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// Returns Wilson's 95 percent interval of a rate of wins, from 0 to 1; `None` without games.
pub fn wilson(wins: u32, losses: u32) -> Option<Interval> {
    let games = f64::from(wins) + f64::from(losses);
    if games == 0.0 {
        return None;
    }
    let (rate, z2) = (f64::from(wins) / games, Z * Z);
    let centre = rate + z2 / (2.0 * games);
    let reach = Z * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z2 / games;
    // Without a win, or without a loss, the interval ends exactly at 0 or 1. Rounding would miss it.
    let low = if wins == 0 { 0.0 } else { (centre - reach) / scale };
    let high = if losses == 0 { 1.0 } else { (centre + reach) / scale };
    Some(Interval { low, high })
}

/// Returns the break-even rate of one-unit bets at these prices: the mean of 1 / decimal odds. Returns `None` without
/// prices. Their order does not change the result.
pub fn mean_break_even(prices: impl IntoIterator<Item = AmericanPrice>) -> Option<f64> {
    let mut prices: Vec<_> = prices.into_iter().collect();
    prices.sort_unstable();
    let sum: f64 = prices.iter().map(|price| price.break_even()).sum();
    (!prices.is_empty()).then(|| sum / count(prices.len()))
}

/// Converts a number of games, dates or draws to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "nothing here is counted beyond 2⁵²")]
pub(crate) const fn count(number: usize) -> f64 {
    number as f64
}

/// The number of games below which there is no p-value.
pub const MIN_GAMES: u32 = 30;

/// The number of games below which a sample is small.
pub const SMALL: u32 = 200;

/// A size class of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SampleSize {
    /// Fewer than [`MIN_GAMES`].
    TooFew,
    /// Fewer than [`SMALL`].
    Small,
    /// [`SMALL`] or more.
    Large,
}

impl SampleSize {
    /// Every size, the smallest first.
    pub const ALL: [Self; 3] = [Self::TooFew, Self::Small, Self::Large];

    /// Returns the class of a number of games.
    pub const fn from_games(games: u32) -> Self {
        match games {
            ..MIN_GAMES => Self::TooFew,
            MIN_GAMES..SMALL => Self::Small,
            SMALL.. => Self::Large,
        }
    }

    /// Returns the word served as `sample`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TooFew => "too_few",
            Self::Small => "small",
            Self::Large => "large",
        }
    }
}

/// Returns the two-sided p-value of Student's t with so many degrees of freedom.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

// Quantiles of a sample.

/// Returns the central interval of values, with half of `share` outside at each end; `None` without values. Sorts
/// `values`.
pub fn central(values: &mut [f64], share: f64) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    Some(Interval { low: quantile(values, share / 2.0)?, high: quantile(values, 1.0 - share / 2.0)? })
}

/// Returns the quantile of sorted values at `share`, interpolated between the two nearest values.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * count(last);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last place")]
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (high - low) * (place - place.floor()))
}

/// Corrects p-values for multiple comparisons with Holm's method: the smallest is multiplied by their number, the
/// next by one less, and so on. Each result is at least the result of every smaller p-value, and at most 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<_> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut corrected = vec![0.0; p_values.len()];
    let (mut left, mut least) = (count(p_values.len()), 0.0_f64);
    for place in order {
        least = least.max(left * p_values[place]).min(1.0);
        corrected[place] = least;
        left -= 1.0;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_ends(interval: Option<Interval>, low: f64, high: f64) {
        let interval = interval.expect("games");
        assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
    }

    /// 8 of 10 by Wilson's formula on paper; 195-90 by `statsmodels`.
    #[test]
    fn wilson_intervals_follow_the_formula() {
        assert_ends(wilson(195, 90), 0.6281, 0.7354);
        // z² = 3.8415: centre .8 + .192073, reach 1.959964 √(.016 + .009604) = .313612, over 1.384146.
        assert_ends(wilson(8, 2), 0.490_2, 0.943_3);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn a_record_without_a_loss_reaches_one_and_one_without_a_win_zero() {
        // n / (n + z²) with n = 16.
        assert_ends(wilson(16, 0), 0.806_4, 1.0);
        assert_ends(wilson(0, 16), 0.0, 0.193_6);
        assert_eq!(wilson(16, 0).map(|interval| interval.high.to_bits()), Some(1.0_f64.to_bits()));
        assert_eq!(wilson(0, 1).map(|interval| interval.low.to_bits()), Some(0.0_f64.to_bits()));
    }

    #[test]
    fn prices_break_even_at_the_mean_of_their_rates() {
        let price = |raw| AmericanPrice::new(raw).expect("a price");
        // 1/2, 2/3 and 2/5.
        let [even, favourite, underdog] = [100, -200, 150].map(price);
        let mean = mean_break_even([even, favourite, underdog]).expect("prices");
        assert!((mean - 47.0 / 90.0).abs() < 1e-12, "{mean}");
        assert_eq!(mean_break_even([underdog, even, favourite]), Some(mean));
        assert_eq!(mean_break_even([]), None);
    }

    #[test]
    fn sample_sizes_change_at_thirty_and_at_two_hundred_games() {
        let words = [0, 29, 30, 199, 200, u32::MAX].map(|games| SampleSize::from_games(games).word());
        assert_eq!(words, ["too_few", "too_few", "small", "small", "large", "large"]);
    }

    /// Values from tables of the distribution, and from its closed forms for one and two degrees of freedom.
    #[test]
    fn p_values_agree_with_tables() {
        for (t, freedom, p) in [
            (2.228_138_9, 10.0, 0.05),
            (-2.228_138_9, 10.0, 0.05),
            (2.660_283_0, 60.0, 0.01),
            // 1 − 2/π · atan(t)
            (1.0, 1.0, 0.5),
            (3.0_f64.sqrt(), 1.0, 1.0 / 3.0),
            (0.301_242, 1.0, 0.813_727_694),
            // 1 − t / √(2 + t²)
            (2.0, 2.0, 1.0 - 2.0 / 6.0_f64.sqrt()),
            (0.0, 7.0, 1.0),
            (1e-5, 1.0, 1.0 - 2e-5 / std::f64::consts::PI),
            (1e5, 1.0, 2e-5 / std::f64::consts::PI),
        ] {
            assert!((two_sided(t, freedom) - p).abs() < 1e-8, "{t} {freedom}");
        }
    }

    /// The same results as `numpy.quantile`.
    #[test]
    fn quantiles_lie_between_the_two_nearest_values() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        for (share, point) in [(0.0, 1.0), (0.5, 3.0), (0.25, 1.75), (0.9, 6.8), (1.0, 8.0)] {
            assert!((quantile(&sorted, share).expect("values") - point).abs() < 1e-12, "{share}");
        }
        assert_eq!((quantile(&[], 0.5), quantile(&[3.0], 0.9)), (None, Some(3.0)));
    }

    #[test]
    fn a_central_interval_leaves_out_half_a_share_at_each_end() {
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        let interval = central(&mut values, 0.1).expect("values");
        assert!((interval.low - 5.0).abs() < 1e-9 && (interval.high - 95.0).abs() < 1e-9, "{interval:?}");
        assert_eq!(central(&mut [], 0.1), None);
    }

    /// The same results as `statsmodels.stats.multitest.multipletests(…, method="holm")`.
    #[test]
    fn corrections_match_hand_calculation() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (corrected, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((corrected - expected).abs() < 1e-12, "{corrected}");
        }
        assert_eq!(holm(&[0.7, 0.6]), [1.0, 1.0]);
        assert_eq!(holm(&[0.03]), [0.03]);
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
