use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Sport;
use sports_http_transport::Audience;
use sports_usecases::markets::{Markets, MarketsError};

use super::response::MarketsResponse;
use crate::auth::AnyKey;
use crate::error::{ApiError, NothingThere};
use crate::moments::RequestMoments;
use crate::params::{ModelQuery, Params};
use crate::paths::{Path, SportPath};

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
    params(SportPath, ModelQuery),
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
pub(super) async fn compare_markets(
    _caller: AnyKey,
    path: Path<Sport>,
    params: Params<ModelQuery>,
    moments: RequestMoments,
    markets: Data<Markets>,
) -> Result<HttpResponse, ApiError> {
    let at = moments.now(path.0)?;
    let comparison = markets.compare(at.moment(), params.0.model).await?;
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
