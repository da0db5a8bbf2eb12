use std::fmt;

use crate::{AmericanPrice, GameLines, HomeSpread, ModelType, Total};

/// A line or price of a game, identified by its published column name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each variant is its column's name")]
pub enum LineColumn {
    HomeMoneyLine,
    AwayMoneyLine,
    OpenHomeMoneyLine,
    OpenAwayMoneyLine,
    HomePointSpread,
    AwayPointSpread,
    HomePointSpreadLine,
    AwayPointSpreadLine,
    OpenHomePointSpread,
    OpenAwayPointSpread,
    OverUnder,
    OverLine,
    UnderLine,
    OpenOverUnder,
}

/// The value of a line column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineValue {
    /// A price in American odds.
    Price(AmericanPrice),
    /// A spread or a total, in points.
    Points(f64),
}

impl fmt::Display for LineValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Price(price) => price.get().fmt(f),
            Self::Points(points) => points.fmt(f),
        }
    }
}

impl LineColumn {
    /// Every column, in the order of files and rows.
    pub const ALL: [Self; 14] = [
        Self::HomeMoneyLine,
        Self::AwayMoneyLine,
        Self::OpenHomeMoneyLine,
        Self::OpenAwayMoneyLine,
        Self::HomePointSpread,
        Self::AwayPointSpread,
        Self::HomePointSpreadLine,
        Self::AwayPointSpreadLine,
        Self::OpenHomePointSpread,
        Self::OpenAwayPointSpread,
        Self::OverUnder,
        Self::OverLine,
        Self::UnderLine,
        Self::OpenOverUnder,
    ];

    /// Returns the columns of one market in the order in which predictions have them, openers last.
    pub const fn of_market(model_type: ModelType) -> &'static [Self] {
        match model_type {
            ModelType::OverUnder => &[Self::OverUnder, Self::OverLine, Self::UnderLine, Self::OpenOverUnder],
            ModelType::WonOnPoints => {
                &[Self::AwayMoneyLine, Self::HomeMoneyLine, Self::OpenAwayMoneyLine, Self::OpenHomeMoneyLine]
            }
            ModelType::WonOnSpread => &[
                Self::AwayPointSpread,
                Self::HomePointSpread,
                Self::AwayPointSpreadLine,
                Self::HomePointSpreadLine,
                Self::OpenAwayPointSpread,
                Self::OpenHomePointSpread,
            ],
        }
    }

    /// Returns the column's name, such as `home_money_line`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HomeMoneyLine => "home_money_line",
            Self::AwayMoneyLine => "away_money_line",
            Self::OpenHomeMoneyLine => "open_home_money_line",
            Self::OpenAwayMoneyLine => "open_away_money_line",
            Self::HomePointSpread => "home_point_spread",
            Self::AwayPointSpread => "away_point_spread",
            Self::HomePointSpreadLine => "home_point_spread_line",
            Self::AwayPointSpreadLine => "away_point_spread_line",
            Self::OpenHomePointSpread => "open_home_point_spread",
            Self::OpenAwayPointSpread => "open_away_point_spread",
            Self::OverUnder => "over_under",
            Self::OverLine => "over_line",
            Self::UnderLine => "under_line",
            Self::OpenOverUnder => "open_over_under",
        }
    }

    /// Returns `true` for a column of prices, and `false` for a column of points.
    pub const fn holds_prices(self) -> bool {
        !matches!(
            self,
            Self::HomePointSpread
                | Self::AwayPointSpread
                | Self::OpenHomePointSpread
                | Self::OpenAwayPointSpread
                | Self::OverUnder
                | Self::OpenOverUnder
        )
    }
}

impl GameLines {
    /// Returns the value of one column; `None` if nothing was posted or recorded.
    pub fn value(&self, column: LineColumn) -> Option<LineValue> {
        let home = |spread: HomeSpread| LineValue::Points(spread.home());
        let away = |spread: HomeSpread| LineValue::Points(spread.away());
        let points = |total: Total| LineValue::Points(total.get());
        match column {
            LineColumn::HomeMoneyLine => self.money.positive.map(LineValue::Price),
            LineColumn::AwayMoneyLine => self.money.negative.map(LineValue::Price),
            LineColumn::OpenHomeMoneyLine => self.open_money.positive.map(LineValue::Price),
            LineColumn::OpenAwayMoneyLine => self.open_money.negative.map(LineValue::Price),
            LineColumn::HomePointSpread => self.spread.map(home),
            LineColumn::AwayPointSpread => self.spread.map(away),
            LineColumn::HomePointSpreadLine => self.spread_prices.positive.map(LineValue::Price),
            LineColumn::AwayPointSpreadLine => self.spread_prices.negative.map(LineValue::Price),
            LineColumn::OpenHomePointSpread => self.open_spread.map(home),
            LineColumn::OpenAwayPointSpread => self.open_spread.map(away),
            LineColumn::OverUnder => self.total.map(points),
            LineColumn::OverLine => self.total_prices.positive.map(LineValue::Price),
            LineColumn::UnderLine => self.total_prices.negative.map(LineValue::Price),
            LineColumn::OpenOverUnder => self.open_total.map(points),
        }
    }

    /// Copies one column's value from `other`, even if it is missing there. Both columns of a spread are one value,
    /// so either column copies both.
    pub fn copy_column(&mut self, other: &Self, column: LineColumn) {
        match column {
            LineColumn::HomeMoneyLine => self.money.positive = other.money.positive,
            LineColumn::AwayMoneyLine => self.money.negative = other.money.negative,
            LineColumn::OpenHomeMoneyLine => self.open_money.positive = other.open_money.positive,
            LineColumn::OpenAwayMoneyLine => self.open_money.negative = other.open_money.negative,
            LineColumn::HomePointSpread | LineColumn::AwayPointSpread => self.spread = other.spread,
            LineColumn::HomePointSpreadLine => self.spread_prices.positive = other.spread_prices.positive,
            LineColumn::AwayPointSpreadLine => self.spread_prices.negative = other.spread_prices.negative,
            LineColumn::OpenHomePointSpread | LineColumn::OpenAwayPointSpread => {
                self.open_spread = other.open_spread;
                self.open_spread_placeholder = other.open_spread_placeholder;
            }
            LineColumn::OverUnder => self.total = other.total,
            LineColumn::OverLine => self.total_prices.positive = other.total_prices.positive,
            LineColumn::UnderLine => self.total_prices.negative = other.total_prices.negative,
            LineColumn::OpenOverUnder => self.open_total = other.open_total,
        }
    }

    /// Sets the price of a price column. Ignores a column of points.
    pub const fn set_price(&mut self, column: LineColumn, price: Option<AmericanPrice>) {
        match column {
            LineColumn::HomeMoneyLine => self.money.positive = price,
            LineColumn::AwayMoneyLine => self.money.negative = price,
            LineColumn::OpenHomeMoneyLine => self.open_money.positive = price,
            LineColumn::OpenAwayMoneyLine => self.open_money.negative = price,
            LineColumn::HomePointSpreadLine => self.spread_prices.positive = price,
            LineColumn::AwayPointSpreadLine => self.spread_prices.negative = price,
            LineColumn::OverLine => self.total_prices.positive = price,
            LineColumn::UnderLine => self.total_prices.negative = price,
            LineColumn::HomePointSpread
            | LineColumn::AwayPointSpread
            | LineColumn::OpenHomePointSpread
            | LineColumn::OpenAwayPointSpread
            | LineColumn::OverUnder
            | LineColumn::OpenOverUnder => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_specification() {
        let names = [
            "home_money_line",
            "away_money_line",
            "open_home_money_line",
            "open_away_money_line",
            "home_point_spread",
            "away_point_spread",
            "home_point_spread_line",
            "away_point_spread_line",
            "open_home_point_spread",
            "open_away_point_spread",
            "over_under",
            "over_line",
            "under_line",
            "open_over_under",
        ];
        assert_eq!(LineColumn::ALL.map(LineColumn::name), names);
    }

    #[test]
    fn a_column_returns_the_value_that_it_was_set_to() {
        let price = AmericanPrice::new(-115).ok();
        for column in LineColumn::ALL {
            let mut lines = GameLines::default();
            lines.set_price(column, price);
            assert_eq!(
                lines.value(column),
                price.filter(|_| column.holds_prices()).map(LineValue::Price),
                "{column:?}"
            );
            let mut copy = GameLines::default();
            copy.copy_column(&lines, column);
            assert_eq!(copy, lines, "{column:?}");
        }
        let posted = GameLines {
            spread: HomeSpread::new(-2.5).ok(),
            open_spread: HomeSpread::new(-1.0).ok(),
            total: Total::new(41.5).ok(),
            open_total: Total::new(40.0).ok(),
            ..GameLines::default()
        };
        let points = [
            (LineColumn::HomePointSpread, -2.5),
            (LineColumn::AwayPointSpread, 2.5),
            (LineColumn::OpenHomePointSpread, -1.0),
            (LineColumn::OpenAwayPointSpread, 1.0),
            (LineColumn::OverUnder, 41.5),
            (LineColumn::OpenOverUnder, 40.0),
        ];
        for (column, points) in points {
            assert_eq!(posted.value(column), Some(LineValue::Points(points)), "{column:?}");
            let mut copy = GameLines::default();
            copy.copy_column(&posted, column);
            assert_eq!(copy.value(column), posted.value(column), "{column:?}");
        }
    }
}
