//! The names of a season's columns, in files, archives and served rows alike.
//!
//! Lines and prices are named by [`LineColumn`](sports_domain::LineColumn), models by
//! [`ModelColumn`](sports_domain::ModelColumn), outcomes by
//! [`ModelType::outcome_column`](sports_domain::ModelType::outcome_column).

/// The Eastern date of the start.
pub const DATE: &str = "date";
/// The Eastern wall-clock time of the start, `HH:MM:SS`.
pub const TIME: &str = "time_est";
/// The season's label.
pub const SEASON: &str = "season";
/// The part of the season.
pub const GAME_TYPE: &str = "game_type";
/// The visiting team's slug.
pub const AWAY_TEAM: &str = "away_team";
/// The home team's slug.
pub const HOME_TEAM: &str = "home_team";
/// 1 or 2 within a doubleheader whose times are unknown.
pub const GAME_NUMBER: &str = "game_number";
/// The publisher's own id of the game.
pub const MATCH_ID: &str = "match_id";
/// The visiting team's final score.
pub const AWAY_SCORE: &str = "away_score";
/// The home team's final score.
pub const HOME_SCORE: &str = "home_score";
/// `settled`, or why there is no final.
pub const SETTLEMENT_STATUS: &str = "settlement_status";
/// Where the recorded prices come from.
pub const QUOTE_SOURCE: &str = "quote_source";
/// `live` or `walk_forward`.
pub const FORECAST_SOURCE: &str = "forecast_source";
/// The release or backtest run that made the forecast.
pub const FORECAST_RUN: &str = "forecast_run";
/// When a live forecast was published, UTC.
pub const FORECAST_PUBLISHED_AT: &str = "forecast_published_at";
/// How the probabilities were made.
pub const PROBABILITY_SOURCE: &str = "model_probability_source";
/// What the models of a reconstruction were trained on.
pub const TRAINING_THROUGH: &str = "model_training_through";
/// How a reconstruction was made.
pub const RECONSTRUCTION_METHOD: &str = "model_reconstruction_method";
