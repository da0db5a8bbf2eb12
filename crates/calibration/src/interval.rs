use sports_domain::AmericanPrice;

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
}
