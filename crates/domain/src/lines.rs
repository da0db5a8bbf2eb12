use crate::{ModelType, TwoWayPrices};

/// A posted total: the sum of both teams' points, more than zero.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Total(f64);

/// A posted spread from the home team's view: negative if the home team gives points.
///
/// The away spread is always its negation. Zero is a pick'em, which is a posted line.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct HomeSpread(f64);

/// A number that is not a valid line.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NotALine {
    /// Not a total: zero, negative or not finite.
    #[error("{0} is not a total: totals are more than 0")]
    Total(f64),
    /// Not a spread: not finite.
    #[error("{0} is not a spread: spreads are finite numbers")]
    Spread(f64),
}

impl Total {
    /// Checks a total.
    ///
    /// # Errors
    ///
    /// [`NotALine::Total`] if `points` is not finite or not more than zero.
    pub fn new(points: f64) -> Result<Self, NotALine> {
        if points.is_finite() && points > 0.0 { Ok(Self(points)) } else { Err(NotALine::Total(points)) }
    }

    /// Returns the points.
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl HomeSpread {
    /// Checks a spread.
    ///
    /// # Errors
    ///
    /// [`NotALine::Spread`] if `points` is not finite.
    pub fn new(points: f64) -> Result<Self, NotALine> {
        // Adding zero turns `-0.0`, the negation of a pick'em, into `0.0`.
        if points.is_finite() { Ok(Self(points + 0.0)) } else { Err(NotALine::Spread(points)) }
    }

    /// Returns the points that the home team receives, negative if it gives points.
    #[inline]
    pub const fn home(self) -> f64 {
        self.0
    }

    /// Returns the points that the away team receives, negative if it gives points.
    #[inline]
    pub fn away(self) -> f64 {
        0.0 - self.0
    }
}

/// All lines and prices recorded for one game: closing, then opening.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GameLines {
    /// Closing money lines, home positive.
    pub money: TwoWayPrices,
    /// Closing spread.
    pub spread: Option<HomeSpread>,
    /// Prices of the closing spread, home positive.
    pub spread_prices: TwoWayPrices,
    /// Closing total.
    pub total: Option<Total>,
    /// Prices of the closing total, over positive.
    pub total_prices: TwoWayPrices,
    /// Opening money lines, home positive.
    pub open_money: TwoWayPrices,
    /// Opening spread.
    pub open_spread: Option<HomeSpread>,
    /// The source's 0 in place of an opening spread that it did not have.
    pub open_spread_placeholder: Placeholder,
    /// Opening total.
    pub open_total: Option<Total>,
}

/// True where a source wrote 0 in place of a value that it did not have. It takes no part in comparisons: the value is missing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Placeholder(pub bool);

impl PartialEq for Placeholder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl GameLines {
    /// Returns the closing prices of one market.
    #[inline]
    pub const fn prices(&self, model_type: ModelType) -> TwoWayPrices {
        match model_type {
            ModelType::OverUnder => self.total_prices,
            ModelType::WonOnPoints => self.money,
            ModelType::WonOnSpread => self.spread_prices,
        }
    }

    /// Returns true if the closing spread is larger than the closing total, which no game has: they may be exchanged.
    pub fn is_spread_above_total(&self) -> bool {
        self.spread.zip(self.total).is_some_and(|(spread, total)| spread.home().abs() > total.get())
    }

    /// Returns the lines without an opening spread of 0, which is noted as a placeholder.
    #[must_use]
    pub fn without_placeholder_openers(mut self) -> Self {
        let real = self.open_spread.filter(|spread| spread.home().abs() > 0.0);
        if real != self.open_spread {
            (self.open_spread, self.open_spread_placeholder) = (real, Placeholder(true));
        }
        self
    }

    /// Returns the lines and prices of one market, openers included.
    pub fn of_market(&self, model_type: ModelType) -> Self {
        let none = Self::default();
        match model_type {
            ModelType::OverUnder => {
                Self { total: self.total, total_prices: self.total_prices, open_total: self.open_total, ..none }
            }
            ModelType::WonOnPoints => Self { money: self.money, open_money: self.open_money, ..none },
            ModelType::WonOnSpread => {
                let (open_spread, open_spread_placeholder) = (self.open_spread, self.open_spread_placeholder);
                let (spread, spread_prices) = (self.spread, self.spread_prices);
                Self { spread, spread_prices, open_spread, open_spread_placeholder, ..none }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmericanPrice, LineColumn};

    #[test]
    fn a_total_is_more_than_zero_and_a_spread_may_be_zero() {
        assert!(Total::new(8.5).is_ok());
        for raw in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Total::new(raw).is_err(), "{raw}");
        }
        assert!(HomeSpread::new(0.0).is_ok());
        assert!(HomeSpread::new(f64::NAN).is_err());
    }

    #[test]
    fn the_markets_of_a_game_have_all_of_its_lines_and_none_twice() {
        let prices = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: AmericanPrice::new(-105).ok() };
        let lines = GameLines {
            money: prices,
            spread: HomeSpread::new(-3.0).ok(),
            spread_prices: prices,
            total: Total::new(44.0).ok(),
            total_prices: prices,
            open_money: prices,
            open_spread: HomeSpread::new(-2.5).ok(),
            open_spread_placeholder: Placeholder::default(),
            open_total: Total::new(45.0).ok(),
        };
        let markets = ModelType::ALL.map(|model_type| lines.of_market(model_type));
        for column in LineColumn::ALL {
            let values: Vec<_> = markets.iter().filter_map(|market| market.value(column)).collect();
            assert_eq!(values, [lines.value(column).expect("a full game")], "{}", column.name());
        }
    }

    #[test]
    fn a_pick_em_has_no_sign_on_either_side() {
        let pick_em = HomeSpread::new(-0.0).expect("a spread");
        assert!(pick_em.home().is_sign_positive());
        assert!(pick_em.away().is_sign_positive());
        assert_eq!(HomeSpread::new(-3.5).map(HomeSpread::away), Ok(3.5));
    }

    #[test]
    fn an_opening_pick_em_is_noted_as_a_placeholder_and_a_current_one_stays() {
        let zero = HomeSpread::new(0.0).ok();
        let pick_em = GameLines { spread: zero, open_spread: zero, ..GameLines::default() };
        let served = pick_em.without_placeholder_openers();
        assert_eq!((served.spread, served.open_spread, served.open_spread_placeholder.0), (zero, None, true));
        let half = GameLines { open_spread: HomeSpread::new(-0.5).ok(), ..GameLines::default() };
        let kept = half.without_placeholder_openers();
        assert_eq!((kept.open_spread, kept.open_spread_placeholder.0), (half.open_spread, false));
        assert!(!GameLines::default().without_placeholder_openers().open_spread_placeholder.0);
        // A later opener takes its place.
        let mut lines = served;
        lines.copy_column(&half, LineColumn::OpenHomePointSpread);
        assert_eq!((lines.open_spread, lines.open_spread_placeholder.0), (half.open_spread, false));
    }
}
