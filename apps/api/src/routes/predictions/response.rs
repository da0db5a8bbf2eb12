mod table;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_slate::{ExpectedValues, SlateGame};
use sports_usecases::today::CurrentPredictions;
use utoipa::ToSchema;

use super::lines::{MoneyLines, SpreadLines, TotalLines};
use super::models::{ModelProbabilities, models_used};
use crate::codes::{
    Code, ModelNameCode, MoneylineModelType, MoneylineModelTypeCode, SportCode, SpreadModelType, SpreadModelTypeCode,
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
            /// The model of the expected values.
            #[schema(example = "BLEND")]
            model: ModelNameCode,
            /// The models with a probability for at least one of these games.
            models_used: Vec<ModelNameCode>,
            /// The own models in use, each a column of the table.
            #[serde(skip)]
            own: Vec<ModelName>,
        }

        impl $page {
            fn from_current(sport: Sport, current: &CurrentPredictions<'_>, model: ModelName) -> Self {
                let games: Vec<_> = current.games().map(|game| game.game.clone()).collect();
                let given = current.own_models();
                Self {
                    sport: Code(sport),
                    model_type: Code($only),
                    predictions_date: current.named().entry().artifact.published_at,
                    model: Code(model),
                    models_used: models_used($only::MODEL_TYPE, &games, &given),
                    own: own_in_use(current, $only::MODEL_TYPE),
                    games: games.iter().map(|game| $game::from_game(game, model, &given)).collect(),
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
    /// The expected value of one unit on the over by the probability of `model` and the posted price, in units, rounded to
    /// 12 decimals, halves away from zero; null without a probability of `model` or a price.
    #[schema(required, example = 0.05)]
    ev_pos: Option<f64>,
    /// The expected value of one unit on the under by the probability of `model` and the posted price, in units, rounded to
    /// 12 decimals, halves away from zero; null without a probability of `model` or a price.
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
    /// The expected value of one unit on the away team by the probability of `model` and the posted price, in units, rounded
    /// to 12 decimals, halves away from zero; null without a probability of `model` or a price.
    #[schema(required, example = -0.18)]
    ev_away_ml: Option<f64>,
    /// The expected value of one unit on the home team by the probability of `model` and the posted price, in units, rounded
    /// to 12 decimals, halves away from zero; null without a probability of `model` or a price.
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
    /// The expected value of one unit on the away spread by the probability of `model` and the posted price, in units,
    /// rounded to 12 decimals, halves away from zero; null without a probability of `model` or a price.
    #[schema(required, example = -0.07)]
    ev_away_spread: Option<f64>,
    /// The expected value of one unit on the home spread by the probability of `model` and the posted price, in units,
    /// rounded to 12 decimals, halves away from zero; null without a probability of `model` or a price.
    #[schema(required, example = -0.02)]
    ev_home_spread: Option<f64>,
}

impl PredictionsResponse {
    /// Converts the selected games of a market.
    pub fn from_current(market: Market, current: &CurrentPredictions<'_>, model: ModelName) -> Self {
        let Market { sport, model_type } = market;
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalPredictions::from_current(sport, current, model)),
            ModelType::WonOnPoints => Self::WonOnPoints(MoneylinePredictions::from_current(sport, current, model)),
            ModelType::WonOnSpread => Self::WonOnSpread(SpreadPredictions::from_current(sport, current, model)),
        }
    }
}

impl TotalPrediction {
    fn from_game(game: &SlateGame, model: ModelName, own: &[ModelName]) -> Self {
        let [ev_pos, ev_neg] = values(ModelType::OverUnder, game, model);
        let lines = TotalLines::from_lines(&game.lines);
        Self { game: PredictedGame::from_game(ModelType::OverUnder, game, own), lines, ev_pos, ev_neg }
    }
}

impl MoneylinePrediction {
    fn from_game(game: &SlateGame, model: ModelName, own: &[ModelName]) -> Self {
        let [ev_home_ml, ev_away_ml] = values(ModelType::WonOnPoints, game, model);
        let lines = MoneyLines::from_lines(&game.lines);
        Self { game: PredictedGame::from_game(ModelType::WonOnPoints, game, own), lines, ev_away_ml, ev_home_ml }
    }
}

impl SpreadPrediction {
    fn from_game(game: &SlateGame, model: ModelName, own: &[ModelName]) -> Self {
        let [ev_home_spread, ev_away_spread] = values(ModelType::WonOnSpread, game, model);
        let lines = SpreadLines::from_lines(&game.lines);
        Self {
            game: PredictedGame::from_game(ModelType::WonOnSpread, game, own),
            lines,
            ev_away_spread,
            ev_home_spread,
        }
    }
}

/// Returns the publisher's own models of a market that are not retired, in order of declaration.
fn own_in_use(current: &CurrentPredictions<'_>, model_type: ModelType) -> Vec<ModelName> {
    let in_use = current.named().models().registry().in_use();
    in_use.filter(|model| model.model_types.contains(&model_type)).map(|model| model.name).collect()
}

/// Returns the expected values of one unit on the positive and on the negative side, by a model.
fn values(model_type: ModelType, game: &SlateGame, model: ModelName) -> [Option<f64>; 2] {
    let probability = game.probability(model_type, model);
    let values = ExpectedValues::from_prices(probability, game.lines.prices(model_type));
    [values.positive, values.negative].map(|value| value.map(computed))
}

impl PredictedGame {
    fn from_game(model_type: ModelType, game: &SlateGame, own: &[ModelName]) -> Self {
        Self {
            game_id: game.game_id.clone().unwrap_or_default(),
            date: game.key.date,
            time: game.key.time,
            away_team: game.key.away.to_string(),
            home_team: game.key.home.to_string(),
            match_id: game.match_id.clone(),
            predictions: ModelProbabilities::from_game(model_type, game, own),
        }
    }
}
