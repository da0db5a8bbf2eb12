use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::codes::{ModelTypeCode, SportCode};

/// One page of a season.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultsPage {
    /// The league.
    pub sport: SportCode,
    /// The model type.
    pub model_type: ModelTypeCode,
    /// The season the rows are of.
    #[schema(example = "2023-24")]
    pub season: String,
    /// The rows, one a game.
    pub results: Vec<ResultRow>,
    /// When the season was last published.
    pub last_updated: DateTime<Utc>,
    /// Rows of the whole season, graded or not.
    pub total: usize,
    /// Rows on this page.
    pub returned: usize,
    /// The first row of this page.
    pub offset: usize,
    /// Where the next page starts; null on the last.
    #[schema(required)]
    pub next_offset: Option<usize>,
    /// Names the content this page was cut from; give it back with `season` on every later page.
    #[schema(example = "9f2c4e01d7ab3356")]
    pub snapshot: String,
    /// The season's first game date.
    #[schema(required)]
    pub source_start: Option<NaiveDate>,
    /// The season's last game date.
    #[schema(required)]
    pub source_end: Option<NaiveDate>,
}

/// One game, graded or not. Rows are flexible: a season can carry further columns, such as the AI
/// model, `match_id`, `game_number` and the publisher's own.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultRow {
    /// The Eastern date of the start.
    pub date: NaiveDate,
    /// The Eastern start time, `HH:MM:SS`; null where a historical source did not have it.
    #[schema(required, example = "20:15:00")]
    pub time_est: Option<String>,
    /// The season's label.
    #[schema(example = "2023-24")]
    pub season: String,
    /// `regular`, `postseason`, or the source's word.
    #[schema(example = "regular")]
    pub game_type: String,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    pub away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    pub home_team: String,
    /// The visiting team's final score.
    #[schema(required)]
    pub away_score: Option<u16>,
    /// The home team's final score.
    #[schema(required)]
    pub home_score: Option<u16>,
    /// Moneyline rows: 1 when the home team won, else 0; a tie reads as 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won_on_points: Option<u8>,
    /// Spread rows: 1 when the home team covered, else 0; a push reads as 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won_on_spread: Option<u8>,
    /// Total rows: 1 when the game went over, else 0; a push reads as 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<u8>,
    /// The ensemble blend's probability of the positive side (over, home).
    #[serde(rename = "BLEND")]
    #[schema(required)]
    pub blend: Option<f64>,
    /// The market's no-vig probability, rounded to 12 decimals, halves away from zero; null unless both sides are
    /// priced.
    #[serde(rename = "IMPLIED")]
    #[schema(required)]
    pub implied: Option<f64>,
    /// Gradient-boosted trees.
    #[serde(rename = "CATB")]
    #[schema(required)]
    pub catb: Option<f64>,
    /// Random forest.
    #[serde(rename = "RF")]
    #[schema(required)]
    pub rf: Option<f64>,
    /// Light gradient boosting.
    #[serde(rename = "LGB")]
    #[schema(required)]
    pub lgb: Option<f64>,
    /// Logistic regression.
    #[serde(rename = "LOGR")]
    #[schema(required)]
    pub logr: Option<f64>,
    /// Extreme gradient boosting.
    #[serde(rename = "XGB")]
    #[schema(required)]
    pub xgb: Option<f64>,
    /// Extra trees.
    #[serde(rename = "XT")]
    #[schema(required)]
    pub xt: Option<f64>,
    /// Closing money line of the home team, American odds.
    #[schema(required, example = -120)]
    pub home_money_line: Option<i32>,
    /// Closing money line of the away team.
    #[schema(required, example = 105)]
    pub away_money_line: Option<i32>,
    /// Opening money line of the home team.
    #[schema(required)]
    pub open_home_money_line: Option<i32>,
    /// Opening money line of the away team.
    #[schema(required)]
    pub open_away_money_line: Option<i32>,
    /// Closing spread of the home team in points; negative when it is the favourite.
    #[schema(required, example = -2.5)]
    pub home_point_spread: Option<f64>,
    /// The opposite of the home spread.
    #[schema(required, example = 2.5)]
    pub away_point_spread: Option<f64>,
    /// Price of the home spread.
    #[schema(required)]
    pub home_point_spread_line: Option<i32>,
    /// Price of the away spread.
    #[schema(required)]
    pub away_point_spread_line: Option<i32>,
    /// Opening spread of the home team.
    #[schema(required)]
    pub open_home_point_spread: Option<f64>,
    /// Opening spread of the away team.
    #[schema(required)]
    pub open_away_point_spread: Option<f64>,
    /// Closing total, in points.
    #[schema(required)]
    pub over_under: Option<f64>,
    /// Price of the over.
    #[schema(required)]
    pub over_line: Option<i32>,
    /// Price of the under.
    #[schema(required)]
    pub under_line: Option<i32>,
    /// Opening total.
    #[schema(required)]
    pub open_over_under: Option<f64>,
    /// Where the recorded prices come from.
    #[schema(required)]
    pub quote_source: Option<String>,
    /// `settled` once the final is on record, or why there is none.
    #[schema(required, example = "settled")]
    pub settlement_status: Option<String>,
    /// Whether the final fell on the line itself, so that neither side won; null while final or line is missing.
    #[schema(required)]
    pub push: Option<bool>,
    /// Whether at least one model was graded.
    pub graded: bool,
    /// Why none was: `no_final`, `no_line`, `push` or `no_prediction`, the first that holds.
    #[schema(required)]
    pub ungraded_reason: Option<String>,
    /// `recorded` before the game, or reconstructed out of sample: `walk_forward`, `reconstructed_oos`.
    #[schema(required)]
    pub model_probability_source: Option<String>,
    /// What the models of a reconstruction were trained on, where the publisher says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_training_through: Option<String>,
    /// How a reconstruction was made, where the publisher says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_reconstruction_method: Option<String>,
    /// `live` or `walk_forward`; absent for a game without a prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast_source: Option<String>,
    /// The release that made a live forecast, or the backtest run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast_run: Option<String>,
    /// When a live forecast was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast_published_at: Option<DateTime<Utc>>,
}
