use sports_domain::{AmericanPrice, TwoWayPrices};

use crate::pmf::rounded;

/// The range of break-even rates for which prices are posted.
const LONGEST: f64 = 0.011;
const SHORTEST: f64 = 0.99;
/// The maximum distance from one half of a market that is posted at the same price on both sides.
const NEARLY_EVEN: f64 = 0.02;

/// Returns both sides' prices for this probability of the positive side; `vig` is the bookmaker's margin.
pub(crate) fn two_way(probability: f64, vig: f64, evenly: bool) -> TwoWayPrices {
    let probability = if evenly && (probability - 0.5).abs() < NEARLY_EVEN { 0.5 } else { probability };
    TwoWayPrices {
        positive: Some(american(probability * (1.0 + vig))),
        negative: Some(american((1.0 - probability) * (1.0 + vig))),
    }
}

/// Returns the price that breaks even at a rate, rounded to the steps that bookmakers use at its size.
fn american(rate: f64) -> AmericanPrice {
    let rate = rate.clamp(LONGEST, SHORTEST);
    let size = if rate < 0.5 { 100.0 * (1.0 - rate) / rate } else { 100.0 * rate / (1.0 - rate) };
    let step = match rounded(size) {
        ..250 => 1,
        250..1000 => 5,
        _ => 50,
    };
    let posted = (rounded(size / f64::from(step)) * step).max(100);
    let signed = if rate < 0.5 { posted } else { -posted };
    AmericanPrice::new(signed).expect("the size is 100 at least")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(probability: f64, vig: f64, evenly: bool) -> (i32, i32) {
        let prices = two_way(probability, vig, evenly);
        let get = |price: Option<AmericanPrice>| price.map(AmericanPrice::get).expect("a price");
        (get(prices.positive), get(prices.negative))
    }

    #[test]
    fn prices_are_rounded_like_a_bookmakers() {
        let usual = 2.0 * 110.0 / 210.0 - 1.0;
        assert_eq!(pair(0.5, usual, false), (-110, -110));
        assert_eq!(pair(0.512, usual, true), (-110, -110));
        assert_eq!(pair(0.53, usual, true), (-125, 103));
        assert_eq!(pair(0.5, 0.0, false), (-100, -100));
        assert_eq!(pair(0.7, 0.03, false), (-260, 224));
        assert_eq!(pair(0.999, 0.04, false), (-9900, 9000));
    }
}
