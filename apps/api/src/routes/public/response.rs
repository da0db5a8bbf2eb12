use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelColumn, ModelName, ModelType};
use sports_slate::{Names, Pick, SlateGame, market_line};
use sports_usecases::today::CurrentPredictions;
use utoipa::ToSchema;

use crate::codes::{
    Code, MarketSide, ModelNameCode, ModelTypeCode, PickSideCode, PickedSide, PublicMarket, PublicMarketCode, SportCode,
};
use crate::figures::computed_probability;
use crate::routes::predictions::{MarketLines, ModelProbabilities, models_used};

/// The note of every list of picks.
const NOTE: &str = "Only free predictions are included; paid workflows need a paid plan. Model outputs \
                               are research signals, not a validated betting selector, and no edge is guaranteed.";

/// One market's picks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PicksPage)]
pub struct PublicPicksResponse {
    /// The league.
    sport: SportCode,
    /// The market by its public name.
    market: PublicMarketCode,
    /// The model type of the market.
    model_type: ModelTypeCode,
    /// The time at which the predictions were published.
    predictions_date: DateTime<Utc>,
    /// The model of the picks.
    #[schema(example = "BLEND")]
    model: ModelNameCode,
    /// The games with a probability of this model, by date, then Eastern time.
    games: Vec<PublicPickItem>,
    /// The models with a probability for at least one of these games.
    models_used: Vec<ModelNameCode>,
    /// A reminder that only free predictions are included, and that they are research signals.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

/// One game and the side that the model of the page favours.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PublicPick)]
pub struct PublicPickItem {
    /// The identity of the game in its league: assigned once, and kept when the start changes.
    #[schema(example = "mlb-2024-07-05-new_york_yankees-boston_red_sox")]
    game_id: String,
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "19:10:00")]
    time: Option<NaiveTime>,
    /// The visiting team's name: a club's own, or a college's as the publisher writes it.
    #[schema(example = "New York Yankees")]
    away_team: String,
    /// The home team's name: a club's own, or a college's as the publisher writes it.
    #[schema(example = "Boston Red Sox")]
    home_team: String,
    /// The picked side as text; `No pick` if its probability is exactly one half.
    #[schema(example = "Boston Red Sox ML")]
    pick: String,
    /// The picked side; `none` if the probability is exactly one half.
    pick_side: PickSideCode,
    /// The model's probability of the positive side (over, home), as the publisher gave it.
    #[schema(minimum = 0.0, maximum = 1.0, example = 0.58)]
    blend_probability: f64,
    /// The model's probability of the picked side, rounded to 12 decimals, halves away from zero.
    #[schema(minimum = 0.5, maximum = 1.0, example = 0.58)]
    confidence: f64,
    /// The market's line as text; `No line` if no line is posted.
    #[schema(example = "BOS -120 / NYY +105")]
    market_line: String,
    /// The market's no-vig probability of the positive side, rounded to 12 decimals, halves away from zero; null
    /// unless both sides are priced.
    #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.527_896_995_708)]
    implied_probability: Option<f64>,
    /// The lines of the market.
    lines: MarketLines,
    /// The probability of the positive side (over, home) by each model.
    models: ModelProbabilities,
}

impl PublicPicksResponse {
    /// Converts the selected games. Games without a probability of the model have no pick and are left out.
    pub fn from_current(market: Market, current: &CurrentPredictions<'_>, model: ModelName) -> Self {
        let (model_type, own) = (market.model_type, current.public_models());
        let picked = |game: &&SlateGame| Pick::for_game(model_type, game, model).is_some();
        let games: Vec<_> = current.games().map(|game| &game.game).filter(picked).cloned().collect();
        let names = Names { sport: market.sport, published: current.names() };
        Self {
            sport: Code(market.sport),
            market: Code(PublicMarket(model_type)),
            model_type: Code(model_type),
            predictions_date: current.named().entry().artifact.published_at,
            model: Code(model),
            models_used: models_used(model_type, &games, &own),
            games: games
                .iter()
                .filter_map(|game| PublicPickItem::from_game(names, model_type, game, model, &own))
                .collect(),
            note: NOTE,
        }
    }
}

impl PublicPickItem {
    fn from_game(
        names: Names<'_>,
        model_type: ModelType,
        game: &SlateGame,
        model: ModelName,
        own: &[ModelName],
    ) -> Option<Self> {
        let pick = Pick::for_game(model_type, game, model)?;
        Some(Self {
            game_id: game.game_id.clone().unwrap_or_default(),
            date: game.key.date,
            time: game.key.time,
            away_team: names.display(&game.key.away),
            home_team: names.display(&game.key.home),
            pick: pick.label(names, model_type, game),
            pick_side: Code(PickedSide(pick.side.map(|side| MarketSide { model_type, side }))),
            blend_probability: pick.probability.get(),
            confidence: computed_probability(pick.confidence()),
            market_line: market_line(names, model_type, game),
            implied_probability: game.probability(model_type, ModelColumn::Implied).map(computed_probability),
            lines: MarketLines::from_lines(model_type, &game.lines),
            models: ModelProbabilities::from_game(model_type, game, own),
        })
    }
}
