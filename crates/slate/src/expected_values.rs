use sports_domain::{Probability, TwoWayPrices, expected_value};

/// The expected values of one unit on each side by the blend, in units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExpectedValues {
    /// The expected value on the over or the home side; `None` without a blend or a price.
    pub positive: Option<f64>,
    /// The expected value on the under or the away side; `None` without a blend or a price.
    pub negative: Option<f64>,
}

impl ExpectedValues {
    /// Computes the expected values at these prices; `blend` is the probability of the positive side.
    #[must_use]
    pub fn from_prices(blend: Option<Probability>, prices: TwoWayPrices) -> Self {
        let on = |probability: Option<Probability>, price| Some(expected_value(probability?, price?));
        Self { positive: on(blend, prices.positive), negative: on(blend.map(Probability::complement), prices.negative) }
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::AmericanPrice;

    use super::*;

    #[test]
    fn a_side_without_a_price_and_a_game_without_a_blend_are_worth_nothing_known() {
        let blend = Probability::new(0.55).ok();
        let one_sided = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: None };
        let values = ExpectedValues::from_prices(blend, one_sided);
        // 0.55 · 100/110 − 0.45
        assert!(values.positive.is_some_and(|value| (value - 0.05).abs() < 1e-12));
        assert_eq!(values.negative, None);
        assert_eq!(ExpectedValues::from_prices(None, one_sided), ExpectedValues::default());
    }
}
