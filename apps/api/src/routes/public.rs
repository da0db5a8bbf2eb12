//! Free picks for callers without a key, from any page of the web.

mod leagues;

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelColumn, ModelName, ModelType};
use sports_publication::registry::ShownTo;
use sports_publication::slate::{Names, Pick, SlateGame, market_line};
use sports_usecases::today;
use sports_usecases::today::CurrentPredictions;
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::predictions::{MarketLines, ModelProbabilities, SlateQuery, models_used};
use crate::answer::{Answer, Json};
use crate::auth::{Anyone, CrossOriginCaller};
use crate::codes::{
    Code, MarketSide, ModelNameCode, ModelTypeCode, PickSideCode, PickedSide, PublicMarket, PublicMarketCode, SportCode,
};
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::examples::read_example;
use crate::figures::computed_probability;
use crate::moments::RequestMoments;
use crate::operation::{operation, undocumented};
use crate::params::{ModelQuery, Params};
use crate::paths::{FromPath, Path, Segments};
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list_public_picks))
        .service(operation!(leagues::list_public_leagues))
        .configure(preflight);
}

/// The path whose answers a page of any origin may read.
pub const PREFLIGHTED: &str = "/api/v1/public/ml-picks/{sport}/{market}";

/// The time for which a browser may cache the permission, in seconds: a day.
const MAX_AGE: u32 = 24 * 60 * 60;

/// Adds the answer to a browser's preflight request, which it sends before a request with headers of its own. It
/// depends on no league and no client, and is not in the document.
fn preflight(config: &mut ServiceConfig<'_>) {
    config.map(|config| config.service(undocumented(Method::OPTIONS, PREFLIGHTED, permission)));
}

async fn permission(_caller: Anyone) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match, X-Request-Id"))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}

/// A league, and a market by its public name.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PublicMarketPath {
    /// The league's code, in any letter case.
    #[param(example = "mlb")]
    sport: SportCode,
    /// The market's public name, in any letter case.
    #[param(example = "moneyline")]
    market: PublicMarketCode,
}

impl FromPath for PublicMarketPath {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let sport = segments.parsed("sport")?;
        let market = segments.market("market", PublicMarket::name, &PublicMarket::ALL)?;
        Ok(Self { sport: Code(sport), market: Code(market) })
    }
}

/// List free picks
///
/// The side that one model favours in each game of the current slate, as text, with the market's line beside it. A game
/// without a probability of that model has no pick and is left out. Own models of the publisher are included if they are
/// public. Readable from any page of the web. Model outputs are research
/// signals, not a validated betting selector, and no edge is guaranteed.
// In the example IMPLIED is 120/220 over the sum of 120/220 and 100/205.
#[utoipa::path(
    get, path = "/api/v1/public/ml-picks/{sport}/{market}",
    tag = "public",
    params(PublicMarketPath),
    responses(
        (status = 200, description = "The games", body = PublicPicksResponse, headers(
            ("Access-Control-Allow-Origin" = String, description = "Always `*`"),
        ), example = json!(read_example(include_str!("public/example.json")))),
        Unchanged,
        (status = 404, description = "No predictions are published for that league and market", body = ErrorBody),
        DependencyDown,
    ),
)]
async fn list_public_picks(
    _caller: CrossOriginCaller,
    path: Path<PublicMarketPath>,
    params: Params<(SlateQuery, ModelQuery)>,
    answer: Answer,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(path), Params((slate, ModelQuery { model }))) = (path, params);
    let reach = slate.reach();
    let market = Market::new(path.sport.0, path.market.0.0);
    let at = moments.now(market.sport)?;
    let named = today::predictions(at.moment(), market, reach, ShownTo::Everyone).await?;
    let model = named.models().model(model)?;
    let key = (market, reach, named.entry().artifact.clone(), named.floor(), model, named.shown_beside());
    let page = async move { Ok(Json(PublicPicksResponse::new(market, &named.read().await?, model))) };
    answer.public().at(&at).respond(&key, page).await
}

/// The note of every list of picks.
const NOTE: &str = "Only free predictions are included; paid workflows need a paid plan. Model outputs \
                               are research signals, not a validated betting selector, and no edge is guaranteed.";

wire! {
    /// One market's picks.
    #[schema(as = PicksPage)]
    pub struct PublicPicksResponse(market: Market, current: &CurrentPredictions, model: ModelName) {
        let (model_type, own) = (market.model_type, current.public_models());
        let picked = |game: &&SlateGame| Pick::for_game(model_type, game, model).is_some();
        let games = current.games().map(|game| &game.game).filter(picked).cloned().collect::<Vec<_>>();
        let names = Names { sport: market.sport, published: current.names() };

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The market by its public name.
        market: PublicMarketCode = Code(PublicMarket(model_type)),
        /// The model type of the market.
        model_type: ModelTypeCode = Code(model_type),
        /// The time at which the predictions were published.
        predictions_date: DateTime<Utc> = current.named().entry().artifact.published_at,
        /// The model of the picks.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(model),
        /// The games with a probability of this model, by date, then Eastern time.
        games: Vec<PublicPickItem> = games
            .iter()
            .filter_map(|game| PublicPickItem::from_game(names, model_type, game, model, &own))
            .collect(),
        /// The models with a probability for at least one of these games.
        models_used: Vec<ModelNameCode> = models_used(model_type, &games, &own),
        /// A reminder that only free predictions are included, and that they are research signals.
        #[schema(example = json!(NOTE))]
        note: &'static str = NOTE,
        /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = current.missing(model).as_ref().map(ToString::to_string),
    }
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
    /// The model's probability of the picked side, rounded to 12 decimals, halves away from zero; null without a pick.
    #[schema(required, minimum = 0.5, maximum = 1.0, example = 0.58)]
    pick_probability: Option<f64>,
    /// The model's probability of the positive side (over, home), as the publisher gave it.
    #[schema(minimum = 0.0, maximum = 1.0, example = 0.58)]
    blend_probability: f64,
    /// The model's probability of the picked side, rounded to 12 decimals, halves away from zero; 0.5 without a pick.
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
            pick_probability: pick.side.map(|_| computed_probability(pick.confidence())),
            blend_probability: pick.probability.get(),
            confidence: computed_probability(pick.confidence()),
            market_line: market_line(names, model_type, game),
            implied_probability: game.probability(model_type, ModelColumn::Implied).map(computed_probability),
            lines: MarketLines::from_lines(model_type, &game.lines),
            models: ModelProbabilities::from_game(model_type, game, own),
        })
    }
}
