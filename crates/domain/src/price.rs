use crate::{Probability, Side};

/// A bookmaker's price in American notation: a whole number, at least `+100` or at most `-100`.
///
/// `-120` risks 120 to win 100; `+105` risks 100 to win 105. `0`, which feeds use for a missing quote, is not a
/// price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AmericanPrice(i32);

/// A number that is not a price in American odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not an American price: prices are -{min} or less, or +{min} or more", min = AmericanPrice::SMALLEST)]
pub struct NotAPrice(pub i32);

impl AmericanPrice {
    /// The smallest distance of a price from zero: even money.
    pub const SMALLEST: u32 = 100;

    /// Checks a price.
    ///
    /// # Errors
    ///
    /// [`NotAPrice`] if `raw` is less than [`Self::SMALLEST`] away from zero.
    pub const fn new(raw: i32) -> Result<Self, NotAPrice> {
        if raw.unsigned_abs() >= Self::SMALLEST { Ok(Self(raw)) } else { Err(NotAPrice(raw)) }
    }

    /// Returns the number as posted, such as `-110`.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Returns the profit of a won one-unit stake: `1.05` at `+105`, `100/120` at `-120`.
    #[inline]
    pub fn profit_per_unit(self) -> f64 {
        let price = f64::from(self.0);
        if self.0.is_positive() { price / 100.0 } else { 100.0 / -price }
    }

    /// Returns the share of bets that must win to break even at this price, including the bookmaker's margin.
    #[inline]
    pub fn break_even(self) -> f64 {
        let size = f64::from(self.0.unsigned_abs());
        if self.0.is_positive() { 100.0 / (size + 100.0) } else { size / (size + 100.0) }
    }
}

/// The recorded prices of both sides of a market; either may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TwoWayPrices {
    /// The over's or the home team's price.
    pub positive: Option<AmericanPrice>,
    /// The under's or the away team's price.
    pub negative: Option<AmericanPrice>,
}

impl TwoWayPrices {
    /// Returns the price of one side.
    #[inline]
    pub const fn on(self, side: Side) -> Option<AmericanPrice> {
        match side {
            Side::Positive => self.positive,
            Side::Negative => self.negative,
        }
    }

    /// Returns `true` if at least one side has a price.
    #[inline]
    pub const fn any(self) -> bool {
        self.positive.is_some() || self.negative.is_some()
    }

    /// Returns the positive side's market-implied probability without the bookmaker's margin, by the multiplicative
    /// method: both break-even rates, rescaled to sum to one.
    ///
    /// Returns `None` unless both sides have a price.
    #[inline]
    pub fn no_vig(self) -> Option<Probability> {
        let positive = self.positive?.break_even();
        let negative = self.negative?.break_even();
        // Both rates are between 0 and 1, exclusive, so the quotient is, too.
        Probability::new(positive / (positive + negative)).ok()
    }
}

/// Returns the mean profit, in units, of a one-unit stake at `price` on a bet that is won with `probability`.
#[inline]
pub fn expected_value(probability: Probability, price: AmericanPrice) -> f64 {
    probability.get() * price.profit_per_unit() - (1.0 - probability.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(raw: i32) -> AmericanPrice {
        AmericanPrice::new(raw).expect("a price")
    }

    #[test]
    fn a_price_is_at_least_100_away_from_zero() {
        for raw in [-100, 100, -101, 250, i32::MIN, i32::MAX] {
            assert_eq!(AmericanPrice::new(raw).map(AmericanPrice::get), Ok(raw));
        }
        for raw in [-99, -1, 0, 1, 99] {
            assert_eq!(AmericanPrice::new(raw), Err(NotAPrice(raw)));
        }
        assert_eq!(
            NotAPrice(-50).to_string(),
            "-50 is not an American price: prices are -100 or less, or +100 or more"
        );
    }

    #[test]
    fn profits_and_break_even_rates_match_hand_calculation() {
        let table = [
            (-110, 0.909_090_909, 0.523_809_524),
            (100, 1.0, 0.5),
            (-100, 1.0, 0.5),
            (-200, 0.5, 0.666_666_667),
            (150, 1.5, 0.4),
        ];
        for (raw, profit, rate) in table {
            assert!((price(raw).profit_per_unit() - profit).abs() < 1e-9, "{raw}");
            assert!((price(raw).break_even() - rate).abs() < 1e-9, "{raw}");
        }
    }

    #[test]
    fn either_side_may_be_without_a_price() {
        let (over, under) = (Some(price(-115)), Some(price(105)));
        for (positive, negative, any) in
            [(over, under, true), (over, None, true), (None, under, true), (None, None, false)]
        {
            let prices = TwoWayPrices { positive, negative };
            assert_eq!((prices.on(Side::Positive), prices.on(Side::Negative)), (positive, negative));
            assert_eq!(prices.any(), any, "{prices:?}");
        }
    }

    #[test]
    fn no_vig_needs_both_prices() {
        let both = TwoWayPrices { positive: Some(price(-110)), negative: Some(price(-110)) };
        assert_eq!(both.no_vig(), Some(Probability::HALF));
        assert_eq!(TwoWayPrices { negative: None, ..both }.no_vig(), None);
        assert_eq!(TwoWayPrices { positive: None, ..both }.no_vig(), None);
        assert_eq!(TwoWayPrices::default().no_vig(), None);
    }

    #[test]
    fn a_fair_price_has_no_expected_value() {
        let price = AmericanPrice::new(-110).expect("a price");
        let fair = Probability::new(price.break_even()).expect("valid");
        assert!(expected_value(fair, price).abs() < 1e-12);
    }
}
