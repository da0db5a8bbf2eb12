//! The model's, a sportsbook's and a prediction market's probabilities of the same games.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use sports_domain::{Probability, Sport};
use sports_http_transport::Audience;
use sports_publication::slate::MarketComparison;
use sports_usecases::markets::{MarketsError, SlateComparison};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::AnyKey;
use crate::codes::{Code, ModelNameCode, SportCode};
use crate::error::{ApiError, NothingThere};
use crate::figures::{computed, computed_probability};
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{ModelQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(compare_markets));
}

/// Compare model, sportsbook and prediction market
///
/// The moneylines of a league's upcoming games. Prediction-market prices are at most 15 seconds old, or up to two
/// minutes while the market cannot be read; `as_of` has their time. Games that have started, games without a market,
/// and the college leagues have null prices. Sportsbook prices of a game that has started are those recorded with its
/// forecast, never in-play prices. Open to every valid key. Model outputs are research signals; a difference between
/// model and market is not a validated edge.
#[utoipa::path(
    get, path = "/api/v1/markets/{sport}",
    tag = "markets",
    params(SportPath),
    responses(
        (status = 200, description = "One row a game", body = MarketsResponse, example = json!({
            "sport": "nfl", "model": "BLEND", "as_of": "2026-11-22T15:04:05Z", "games": [{
                "game_id": "nfl-2026-11-22-kansas_city_chiefs-denver_broncos",
                "date": "2026-11-22", "time": "16:25", "away_team": "kansas_city_chiefs",
                "home_team": "denver_broncos", "model_home": 0.58, "model_away": 0.42, "book_home": 0.56,
                "book_away": 0.44, "kalshi_home": 0.54, "kalshi_away": 0.465, "edge_home": 0.04
            }]
        })),
        NothingThere,
    ),
)]
async fn compare_markets(
    _caller: AnyKey,
    path: Path<Sport>,
    params: Params<ModelQuery>,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let at = moments.now(path.0)?;
    let comparison = state.published.markets.compare(at.moment(), params.0.model).await?;
    let mut response = HttpResponse::Ok().json(MarketsResponse::new(path.0, comparison));
    at.head().write(response.headers_mut(), Audience::KeyHolder);
    Ok(response)
}

impl From<MarketsError> for ApiError {
    fn from(error: MarketsError) -> Self {
        match error {
            MarketsError::NoSuchModel(error) => error.into(),
            MarketsError::Unreadable(error) => error.into(),
            MarketsError::NothingPublished(sport) => {
                Self::NotFound(format!("No moneyline predictions are published for {sport}"))
            }
        }
    }
}

wire! {
    /// A league's upcoming moneylines, compared.
    #[schema(as = MarketsPage)]
    pub struct MarketsResponse(sport: Sport, comparison: SlateComparison) {
        let games = comparison.games.into_iter().map(MarketsItem::new).collect();

        /// The league.
        sport: SportCode = Code(sport),
        /// The model that is compared with the markets.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(comparison.model),
        /// The time at which the prediction market was read, UTC; the source time of the odds if it was not read.
        as_of: DateTime<Utc> = comparison.as_of,
        /// One entry for each game, by date, then time.
        games: Vec<MarketsItem> = games,
        /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = comparison.missing.as_ref().map(ToString::to_string),
    }
}

wire! {
    /// The price of a win and the model's probability of it. `model_away`, `book_home`, `book_away` and `edge_home` are
    /// computed, each rounded to 12 decimals, halves away from zero; `model_home`, `kalshi_home` and `kalshi_away` are as
    /// they were published and quoted.
    #[schema(as = ComparedGame)]
    pub struct MarketsItem(row: MarketComparison) {
        let figure = |probability: Option<Probability>| probability.map(computed_probability);
        let other = |probability: Option<Probability>| figure(probability.map(Probability::complement));

        /// The identity of the game in its league: assigned once, and kept when the start changes.
        #[schema(example = "nfl-2026-11-22-kansas_city_chiefs-denver_broncos")]
        game_id: String = row.game_id.clone().unwrap_or_default(),
        /// The Eastern date of the game's start.
        #[schema(format = Date, example = "2026-11-22")]
        date: String = row.key.date.to_string(),
        /// The Eastern start time, `HH:MM`.
        #[schema(required, pattern = "^[0-2][0-9]:[0-5][0-9]$", example = "16:25")]
        time: Option<String> = row.key.time.map(|time| time.format("%H:%M").to_string()),
        /// The visiting team's slug.
        #[schema(example = "kansas_city_chiefs")]
        away_team: String = row.key.away.to_string(),
        /// The home team's slug.
        #[schema(example = "denver_broncos")]
        home_team: String = row.key.home.to_string(),
        /// The model's probability of a home win, as the publisher gave it; null without one.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.58)]
        model_home: Option<f64> = row.model_home.map(Probability::get),
        /// The model's probability of an away win, rounded to 12 decimals, halves away from zero.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.42)]
        model_away: Option<f64> = other(row.model_home),
        /// The sportsbook's no-vig probability of a home win, rounded to 12 decimals, halves away from zero; null unless
        /// it prices both sides.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.56)]
        book_home: Option<f64> = figure(row.book_home),
        /// The sportsbook's no-vig probability of an away win, rounded to 12 decimals, halves away from zero; null unless
        /// it prices both sides.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.44)]
        book_away: Option<f64> = other(row.book_home),
        /// The prediction market's price of a home win, 0 to 1: the middle of bid and ask if they are at most 0.10 apart,
        /// else the last trade if it lies within them. Null without either, without such a market, and once the game has
        /// started.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.54)]
        kalshi_home: Option<f64> = row.exchange_home.map(|price| price.probability().get()),
        /// The prediction market's price of an away win, 0 to 1, of its own market by the same rule; the two prices need
        /// not add up to 1. Null in the cases in which `kalshi_home` is.
        #[schema(required, minimum = 0.0, maximum = 1.0, example = 0.465)]
        kalshi_away: Option<f64> = row.exchange_away.map(|price| price.probability().get()),
        /// `model_home` less the lower of `book_home` and, if it is the middle of bid and ask, `kalshi_home`, rounded to
        /// 12 decimals, halves away from zero; null without the model or both of these.
        #[schema(required, minimum = -1.0, maximum = 1.0, example = 0.04)]
        edge_home: Option<f64> = row.edge_home().map(computed),
    }
}
