mod table;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelColumn, ModelType, Sport};
use sports_slate::{ExpectedValues, SlateGame};
use sports_usecases::today::CurrentPredictions;
use utoipa::ToSchema;

use super::lines::{MoneyLines, SpreadLines, TotalLines};
use super::models::{ModelProbabilities, models_used};
use crate::codes::{
    Code, ModelColumnCode, MoneylineModelType, MoneylineModelTypeCode, SportCode, SpreadModelType, SpreadModelTypeCode,
    TotalModelType, TotalModelTypeCode,
};
use crate::figures::computed;

/// One market's predictions. `model_type` names the market, on which the fields of the games depend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = PredictionsPage)]
pub enum PredictionsResponse {
    /// The predictions of the total market.
    OverUnder(TotalPredictions),
    /// The predictions of the moneyline market.
    WonOnPoints(MoneylinePredictions),
    /// The predictions of the spread market.
    WonOnSpread(SpreadPredictions),
}

/// Defines the page of one market: its model type is a constant, and its games have the lines of that market.
macro_rules! page {
    ($(#[$doc:meta])+ $page:ident, $code:ident, $only:ident, $game:ident) => {
        $(#[$doc])+
        #[derive(Debug, Serialize, ToSchema)]
        pub struct $page {
            /// The league.
            sport: SportCode,
            /// The model type.
            model_type: $code,
            /// The time at which these predictions were published, UTC.
            predictions_date: DateTime<Utc>,
            /// The games, by date, then Eastern time.
            games: Vec<$game>,
            /// The models with a probability for at least one of these games.
            models_used: Vec<ModelColumnCode>,
        }

        impl $page {
            fn from_current(sport: Sport, current: &CurrentPredictions) -> Self {
                let games: Vec<_> = current.games().map(|game| game.game.clone()).collect();
                Self {
                    sport: Code(sport),
                    model_type: Code($only),
                    predictions_date: current.entry().artifact.published_at,
                    models_used: models_used($only::MODEL_TYPE, &games),
                    games: games.iter().map($game::from_game).collect(),
                }
            }
        }
    };
}

page! {
    /// The total market's predictions.
    TotalPredictions, TotalModelTypeCode, TotalModelType, TotalPrediction
}

page! {
    /// The moneyline market's predictions.
    MoneylinePredictions, MoneylineModelTypeCode, MoneylineModelType, MoneylinePrediction
}

page! {
    /// The spread market's predictions.
    SpreadPredictions, SpreadModelTypeCode, SpreadModelType, SpreadPrediction
}

/// The fields that a prediction has in every market.
#[derive(Debug, Serialize, ToSchema)]
pub struct PredictedGame {
    /// The identity of the game in its league: assigned once, and kept when the start changes.
    #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
    game_id: String,
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
    /// The publisher's id of the game; absent if the publisher gives no id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    match_id: Option<String>,
    /// The probability of the positive side (over, home) by each model.
    predictions: ModelProbabilities,
}

/// A game of the total market.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotalPrediction {
    #[serde(flatten)]
    game: PredictedGame,
    #[serde(flatten)]
    lines: TotalLines,
    /// The expected value of one unit on the over by BLEND's probability and the posted price, in units, rounded to
    /// 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = 0.05)]
    ev_pos: Option<f64>,
    /// The expected value of one unit on the under by BLEND's probability and the posted price, in units, rounded to
    /// 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = -0.14)]
    ev_neg: Option<f64>,
}

/// A game of the moneyline market.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoneylinePrediction {
    #[serde(flatten)]
    game: PredictedGame,
    #[serde(flatten)]
    lines: MoneyLines,
    /// The expected value of one unit on the away team by BLEND's probability and the posted price, in units, rounded
    /// to 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = -0.18)]
    ev_away_ml: Option<f64>,
    /// The expected value of one unit on the home team by BLEND's probability and the posted price, in units, rounded
    /// to 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = 0.08)]
    ev_home_ml: Option<f64>,
}

/// A game of the spread market.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpreadPrediction {
    #[serde(flatten)]
    game: PredictedGame,
    #[serde(flatten)]
    lines: SpreadLines,
    /// The expected value of one unit on the away spread by BLEND's probability and the posted price, in units,
    /// rounded to 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = -0.07)]
    ev_away_spread: Option<f64>,
    /// The expected value of one unit on the home spread by BLEND's probability and the posted price, in units,
    /// rounded to 12 decimals, halves away from zero; null without a BLEND or a price.
    #[schema(required, example = -0.02)]
    ev_home_spread: Option<f64>,
}

impl PredictionsResponse {
    /// Converts the selected games of a market.
    pub fn from_current(Market { sport, model_type }: Market, current: &CurrentPredictions) -> Self {
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalPredictions::from_current(sport, current)),
            ModelType::WonOnPoints => Self::WonOnPoints(MoneylinePredictions::from_current(sport, current)),
            ModelType::WonOnSpread => Self::WonOnSpread(SpreadPredictions::from_current(sport, current)),
        }
    }
}

impl TotalPrediction {
    fn from_game(game: &SlateGame) -> Self {
        let [ev_pos, ev_neg] = values(ModelType::OverUnder, game);
        let lines = TotalLines::from_lines(&game.lines);
        Self { game: PredictedGame::from_game(ModelType::OverUnder, game), lines, ev_pos, ev_neg }
    }
}

impl MoneylinePrediction {
    fn from_game(game: &SlateGame) -> Self {
        let [ev_home_ml, ev_away_ml] = values(ModelType::WonOnPoints, game);
        let lines = MoneyLines::from_lines(&game.lines);
        Self { game: PredictedGame::from_game(ModelType::WonOnPoints, game), lines, ev_away_ml, ev_home_ml }
    }
}

impl SpreadPrediction {
    fn from_game(game: &SlateGame) -> Self {
        let [ev_home_spread, ev_away_spread] = values(ModelType::WonOnSpread, game);
        let lines = SpreadLines::from_lines(&game.lines);
        Self { game: PredictedGame::from_game(ModelType::WonOnSpread, game), lines, ev_away_spread, ev_home_spread }
    }
}

/// Returns the expected values of one unit on the positive and on the negative side, by BLEND.
fn values(model_type: ModelType, game: &SlateGame) -> [Option<f64>; 2] {
    let blend = game.probability(model_type, ModelColumn::Blend);
    let values = ExpectedValues::from_prices(blend, game.lines.prices(model_type));
    [values.positive, values.negative].map(|value| value.map(computed))
}

impl PredictedGame {
    fn from_game(model_type: ModelType, game: &SlateGame) -> Self {
        Self {
            game_id: game.game_id.clone().unwrap_or_default(),
            date: game.key.date,
            time: game.key.time,
            away_team: game.key.away.to_string(),
            home_team: game.key.home.to_string(),
            match_id: game.match_id.clone(),
            predictions: ModelProbabilities::from_game(model_type, game),
        }
    }
}
