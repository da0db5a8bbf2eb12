use serde::Serialize;
use sports_domain::{AmericanPrice, GameLines, HomeSpread, ModelType, Total};
use utoipa::ToSchema;

use crate::wire::{Field, Subject, TableOf, wire};

/// The lines of one market: the posted and the opening ones.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum MarketLines {
    /// Lines of the total.
    OverUnder(TotalLines),
    /// Lines of the moneyline.
    WonOnPoints(MoneyLines),
    /// Lines of the spread.
    WonOnSpread(SpreadLines),
}

wire! {
    /// The total and its prices.
    pub row TotalLines(lines: &GameLines) {
        /// The total, in points.
        #[schema(required, example = 43.5)]
        over_under: Option<f64> = lines.total.map(Total::get),
        /// The price of the over, American odds.
        #[schema(required, example = -110)]
        over_line: Option<i32> = lines.total_prices.positive.map(AmericanPrice::get),
        /// The price of the under.
        #[schema(required, example = -110)]
        under_line: Option<i32> = lines.total_prices.negative.map(AmericanPrice::get),
        /// The opening total; null without an opener.
        #[schema(required, example = 44.0)]
        open_over_under: Option<f64> = lines.open_total.map(Total::get),
    }
}

wire! {
    /// The money lines, American odds.
    #[expect(clippy::struct_field_names, reason = "these are the names in JSON")]
    pub row MoneyLines(lines: &GameLines) {
        /// The away team's money line.
        #[schema(required, example = 105)]
        away_money_line: Option<i32> = lines.money.negative.map(AmericanPrice::get),
        /// The home team's money line.
        #[schema(required, example = -125)]
        home_money_line: Option<i32> = lines.money.positive.map(AmericanPrice::get),
        /// The away team's opening money line; null without an opener.
        #[schema(required, example = 110)]
        open_away_money_line: Option<i32> = lines.open_money.negative.map(AmericanPrice::get),
        /// The home team's opening money line; null without an opener.
        #[schema(required, example = -130)]
        open_home_money_line: Option<i32> = lines.open_money.positive.map(AmericanPrice::get),
    }
}

wire! {
    /// The spread and its prices.
    pub row SpreadLines(lines: &GameLines) {
        /// The points the away team is given: the opposite of the home spread.
        #[schema(required, example = 2.5)]
        away_point_spread: Option<f64> = lines.spread.map(HomeSpread::away),
        /// The points the home team is given; negative when it is the favourite.
        #[schema(required, example = -2.5)]
        home_point_spread: Option<f64> = lines.spread.map(HomeSpread::home),
        /// The price of the away spread, American odds.
        #[schema(required, example = -105)]
        away_point_spread_line: Option<i32> = lines.spread_prices.negative.map(AmericanPrice::get),
        /// The price of the home spread.
        #[schema(required, example = -115)]
        home_point_spread_line: Option<i32> = lines.spread_prices.positive.map(AmericanPrice::get),
        /// The opening away spread; null without an opener.
        #[schema(required, example = 3.0)]
        open_away_point_spread: Option<f64> = lines.open_spread.map(HomeSpread::away),
        /// The opening home spread; null without an opener.
        #[schema(required, example = -3.0)]
        open_home_point_spread: Option<f64> = lines.open_spread.map(HomeSpread::home),
    }
}

impl MarketLines {
    /// Converts the lines of one market of a game.
    pub fn from_lines(model_type: ModelType, lines: &GameLines) -> Self {
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalLines::new(lines)),
            ModelType::WonOnPoints => Self::WonOnPoints(MoneyLines::new(lines)),
            ModelType::WonOnSpread => Self::WonOnSpread(SpreadLines::new(lines)),
        }
    }
}

/// Lines of another market than the table's are empty.
impl Field for MarketLines {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        name: &'static str,
        subject: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        match subject.model_type {
            Some(ModelType::OverUnder) => TotalLines::add_to(table, name, subject, |row| match get(row)? {
                Self::OverUnder(total) => Some(total),
                _ => None,
            }),
            Some(ModelType::WonOnPoints) => MoneyLines::add_to(table, name, subject, |row| match get(row)? {
                Self::WonOnPoints(money) => Some(money),
                _ => None,
            }),
            Some(ModelType::WonOnSpread) => SpreadLines::add_to(table, name, subject, |row| match get(row)? {
                Self::WonOnSpread(spread) => Some(spread),
                _ => None,
            }),
            None => table,
        }
    }
}
