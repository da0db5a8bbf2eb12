use serde::Serialize;
use sports_domain::{AmericanPrice, GameLines, HomeSpread, ModelType, Total};
use utoipa::ToSchema;

use crate::tables::{TableOf, columns};

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

/// The total and its prices.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotalLines {
    /// The total, in points.
    #[schema(required, example = 43.5)]
    over_under: Option<f64>,
    /// The price of the over, American odds.
    #[schema(required, example = -110)]
    over_line: Option<i32>,
    /// The price of the under.
    #[schema(required, example = -110)]
    under_line: Option<i32>,
    /// The opening total; null without an opener.
    #[schema(required, example = 44.0)]
    open_over_under: Option<f64>,
}

/// The money lines, American odds.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "these are the names in JSON")]
pub struct MoneyLines {
    /// The away team's money line.
    #[schema(required, example = 105)]
    away_money_line: Option<i32>,
    /// The home team's money line.
    #[schema(required, example = -125)]
    home_money_line: Option<i32>,
    /// The away team's opening money line; null without an opener.
    #[schema(required, example = 110)]
    open_away_money_line: Option<i32>,
    /// The home team's opening money line; null without an opener.
    #[schema(required, example = -130)]
    open_home_money_line: Option<i32>,
}

/// The spread and its prices.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpreadLines {
    /// The points the away team is given: the opposite of the home spread.
    #[schema(required, example = 2.5)]
    away_point_spread: Option<f64>,
    /// The points the home team is given; negative when it is the favourite.
    #[schema(required, example = -2.5)]
    home_point_spread: Option<f64>,
    /// The price of the away spread, American odds.
    #[schema(required, example = -105)]
    away_point_spread_line: Option<i32>,
    /// The price of the home spread.
    #[schema(required, example = -115)]
    home_point_spread_line: Option<i32>,
    /// The opening away spread; null without an opener.
    #[schema(required, example = 3.0)]
    open_away_point_spread: Option<f64>,
    /// The opening home spread; null without an opener.
    #[schema(required, example = -3.0)]
    open_home_point_spread: Option<f64>,
}

impl MarketLines {
    /// Converts the lines of one market of a game.
    pub fn from_lines(model_type: ModelType, lines: &GameLines) -> Self {
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalLines::from_lines(lines)),
            ModelType::WonOnPoints => Self::WonOnPoints(MoneyLines::from_lines(lines)),
            ModelType::WonOnSpread => Self::WonOnSpread(SpreadLines::from_lines(lines)),
        }
    }

    /// Adds the columns of a market's lines to a table. Lines of another market are empty.
    pub fn columns<'a>(lines: TableOf<'a, &'a Self>, model_type: ModelType) -> TableOf<'a, &'a Self> {
        match model_type {
            ModelType::OverUnder => lines.part(
                |lines| if let Self::OverUnder(total) = lines { total } else { &TotalLines::NONE },
                TotalLines::columns,
            ),
            ModelType::WonOnPoints => lines.part(
                |lines| if let Self::WonOnPoints(money) = lines { money } else { &MoneyLines::NONE },
                MoneyLines::columns,
            ),
            ModelType::WonOnSpread => lines.part(
                |lines| if let Self::WonOnSpread(spread) = lines { spread } else { &SpreadLines::NONE },
                SpreadLines::columns,
            ),
        }
    }
}

impl TotalLines {
    /// No lines.
    const NONE: Self = Self { over_under: None, over_line: None, under_line: None, open_over_under: None };

    pub(super) fn from_lines(lines: &GameLines) -> Self {
        Self {
            over_under: lines.total.map(Total::get),
            over_line: lines.total_prices.positive.map(AmericanPrice::get),
            under_line: lines.total_prices.negative.map(AmericanPrice::get),
            open_over_under: lines.open_total.map(Total::get),
        }
    }

    /// Adds the columns of these lines to a table.
    pub fn columns<'a>(lines: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(lines, over_under, over_line, under_line, open_over_under)
    }
}

impl MoneyLines {
    /// No lines.
    const NONE: Self =
        Self { away_money_line: None, home_money_line: None, open_away_money_line: None, open_home_money_line: None };

    pub(super) fn from_lines(lines: &GameLines) -> Self {
        Self {
            away_money_line: lines.money.negative.map(AmericanPrice::get),
            home_money_line: lines.money.positive.map(AmericanPrice::get),
            open_away_money_line: lines.open_money.negative.map(AmericanPrice::get),
            open_home_money_line: lines.open_money.positive.map(AmericanPrice::get),
        }
    }

    /// Adds the columns of these lines to a table.
    pub fn columns<'a>(lines: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(lines, away_money_line, home_money_line, open_away_money_line, open_home_money_line)
    }
}

impl SpreadLines {
    /// No lines.
    const NONE: Self = Self {
        away_point_spread: None,
        home_point_spread: None,
        away_point_spread_line: None,
        home_point_spread_line: None,
        open_away_point_spread: None,
        open_home_point_spread: None,
    };

    pub(super) fn from_lines(lines: &GameLines) -> Self {
        Self {
            away_point_spread: lines.spread.map(HomeSpread::away),
            home_point_spread: lines.spread.map(HomeSpread::home),
            away_point_spread_line: lines.spread_prices.negative.map(AmericanPrice::get),
            home_point_spread_line: lines.spread_prices.positive.map(AmericanPrice::get),
            open_away_point_spread: lines.open_spread.map(HomeSpread::away),
            open_home_point_spread: lines.open_spread.map(HomeSpread::home),
        }
    }

    /// Adds the columns of these lines to a table.
    pub fn columns<'a>(lines: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(
            lines,
            away_point_spread,
            home_point_spread,
            away_point_spread_line,
            home_point_spread_line,
            open_away_point_spread,
            open_home_point_spread
        )
    }
}
