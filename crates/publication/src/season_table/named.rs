//! Constants for the columns that rules refer to.

use super::{SEASON_COLUMNS, SeasonColumn};

pub(super) const COUNT: usize = SEASON_COLUMNS.len();

/// The Eastern date of the start.
pub const DATE: &SeasonColumn = named("date");
/// The Eastern time of the start.
pub const TIME: &SeasonColumn = named("time_est");
/// The season's label.
pub const SEASON: &SeasonColumn = named("season");
/// The part of the season.
pub const GAME_TYPE: &SeasonColumn = named("game_type");
/// The visiting team.
pub const AWAY_TEAM: &SeasonColumn = named("away_team");
pub const HOME_TEAM: &SeasonColumn = named("home_team");
/// 1 or 2 within a doubleheader whose times are unknown.
pub const GAME_NUMBER: &SeasonColumn = named("game_number");
/// The identity of the game.
pub const GAME_ID: &SeasonColumn = named("game_id");
/// The publisher's own id of the game.
pub const MATCH_ID: &SeasonColumn = named("match_id");
/// The visiting team's final score.
pub const AWAY_SCORE: &SeasonColumn = named("away_score");
/// The home team's final score.
pub const HOME_SCORE: &SeasonColumn = named("home_score");
/// The source of the recorded prices.
pub const QUOTE_SOURCE: &SeasonColumn = named("quote_source");
/// `settled`, or the reason for a missing final.
pub const SETTLEMENT_STATUS: &SeasonColumn = named("settlement_status");
/// The method behind the probabilities.
pub const PROBABILITY_SOURCE: &SeasonColumn = named("model_probability_source");
/// `live` or `walk_forward`.
pub const FORECAST_SOURCE: &SeasonColumn = named("forecast_source");
/// The release or backtest run that made the forecast.
pub const FORECAST_RUN: &SeasonColumn = named("forecast_run");
/// The time at which a live forecast was published.
pub const FORECAST_PUBLISHED_AT: &SeasonColumn = named("forecast_published_at");

/// Returns the column with a name, at compile time.
const fn named(name: &str) -> &'static SeasonColumn {
    let mut place = 0;
    while place < COUNT {
        if is_same(SEASON_COLUMNS[place].name.as_bytes(), name.as_bytes()) {
            return &SEASON_COLUMNS[place];
        }
        place += 1;
    }
    panic!("no column has this name")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}
