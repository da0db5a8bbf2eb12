use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelColumn};
use sports_slate::{ExpectedValues, SlateGame};
use sports_usecases::today::CurrentPredictions;
use utoipa::ToSchema;

use super::lines::{MarketLines, MoneyLines, SpreadLines, TotalLines};
use super::models::{ModelProbabilities, models_used};
use crate::codes::{Code, ModelColumnCode, ModelTypeCode, SportCode};
use crate::figures::computed;

/// One market's predictions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PredictionsPage)]
pub struct PredictionsResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// When these predictions were published, UTC.
    predictions_date: DateTime<Utc>,
    /// The games, by date, then Eastern time.
    games: Vec<PredictionItem>,
    /// The models with a probability for at least one of these games.
    models_used: Vec<ModelColumnCode>,
}

/// One game, with the lines of its market.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = PredictionGame)]
pub enum PredictionItem {
    /// Lines of the total.
    OverUnder(TotalPrediction),
    /// Lines of the moneyline.
    WonOnPoints(MoneylinePrediction),
    /// Lines of the spread.
    WonOnSpread(SpreadPrediction),
}

/// The fields that a prediction has in every market.
#[derive(Debug, Serialize, ToSchema)]
pub struct Prediction {
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
    /// The publisher's id of the game; absent where it gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    match_id: Option<String>,
    /// The probability of the positive side (over, home) by each model.
    predictions: ModelProbabilities,
}

/// A game of the total market.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotalPrediction {
    #[serde(flatten)]
    game: Prediction,
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
    game: Prediction,
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
    game: Prediction,
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
    /// The games asked for.
    pub fn from_current(market: Market, current: &CurrentPredictions) -> Self {
        let games: Vec<_> = current.games().map(|game| game.game.clone()).collect();
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            predictions_date: current.entry().artifact.published_at,
            models_used: models_used(market.model_type, &games),
            games: games.iter().map(|game| PredictionItem::from_game(market, game)).collect(),
        }
    }
}

impl PredictionItem {
    fn from_game(market: Market, slate_game: &SlateGame) -> Self {
        let model_type = market.model_type;
        let blend = slate_game.probability(model_type, ModelColumn::Blend);
        let values = ExpectedValues::from_prices(blend, slate_game.lines.prices(model_type));
        let (positive, negative) = (values.positive.map(computed), values.negative.map(computed));
        let game = Prediction::from_game(market, slate_game);
        match MarketLines::from_lines(model_type, &slate_game.lines) {
            MarketLines::OverUnder(lines) => {
                Self::OverUnder(TotalPrediction { game, lines, ev_pos: positive, ev_neg: negative })
            }
            MarketLines::WonOnPoints(lines) => {
                Self::WonOnPoints(MoneylinePrediction { game, lines, ev_away_ml: negative, ev_home_ml: positive })
            }
            MarketLines::WonOnSpread(lines) => {
                Self::WonOnSpread(SpreadPrediction { game, lines, ev_away_spread: negative, ev_home_spread: positive })
            }
        }
    }
}

impl Prediction {
    fn from_game(market: Market, game: &SlateGame) -> Self {
        Self {
            date: game.key.date,
            time: game.key.time,
            away_team: game.key.away.to_string(),
            home_team: game.key.home.to_string(),
            match_id: game.match_id.clone(),
            predictions: ModelProbabilities::from_game(market.model_type, game),
        }
    }
}
