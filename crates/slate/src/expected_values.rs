use sports_domain::{Probability, TwoWayPrices, expected_value};

/// The expected values of one unit on each side by a model, in units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExpectedValues {
    /// The expected value on the over or the home side; `None` without a probability or a price.
    pub positive: Option<f64>,
    /// The expected value on the under or the away side; `None` without a probability or a price.
    pub negative: Option<f64>,
}

impl ExpectedValues {
    /// Computes the expected values at these prices; `probability` is the model's, of the positive side.
    pub fn from_prices(probability: Option<Probability>, prices: TwoWayPrices) -> Self {
        let on = |probability: Option<_>, price: Option<_>| Some(expected_value(probability?, price?));
        let complement = probability.map(Probability::complement);
        Self { positive: on(probability, prices.positive), negative: on(complement, prices.negative) }
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::AmericanPrice;

    use super::*;

    #[test]
    fn a_side_without_a_price_or_a_probability_has_no_expected_value() {
        let blend = Probability::new(0.55).ok();
        let one_sided = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: None };
        let values = ExpectedValues::from_prices(blend, one_sided);
        // 0.55 · 100/110 − 0.45
        assert!(values.positive.is_some_and(|value| (value - 0.05).abs() < 1e-12));
        assert_eq!(values.negative, None);
        assert_eq!(ExpectedValues::from_prices(None, one_sided), ExpectedValues::default());
    }
}
