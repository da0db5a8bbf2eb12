use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_usecases::today;

use super::response::OddsResponse;
use crate::answers::{SlateAnswers, SlateQuestion, SlateVersion};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{Path, SportPath};

/// List odds
///
/// The current odds for every game of the league's slate: spread, money lines and total with their prices.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}",
    tag = "odds",
    params(SportPath, FormatQuery, MomentQuery),
    responses(
        (status = 200, description = "The games", body = OddsResponse,
            example = json!(example())),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_odds(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<(FormatQuery, MomentQuery)>,
    request: HttpRequest,
    moments: RequestMoments,
    answers: Data<SlateAnswers>,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((FormatQuery { format }, moment))) = (path, params);
    let at = moments.at(sport, &moment).await?;
    let current = at.query(today::odds(at.moment())).await?;
    let version = SlateVersion { artifact: current.artifact().clone(), model: None, models: None, floor: None };
    let page = || OddsResponse::from_current(sport, &current);
    answers.give_as(&request, (format, at.head()), (SlateQuestion::Odds(sport), version), page).await
}

fn example() -> Value {
    json!({
        "sport": "nfl", "date": "2025-01-15",
        "games": [{
            "game_id": "nfl-2025-01-15-buffalo_bills-miami_dolphins",
            "match_id": "nfl-2025-0115-buf-mia", "date": "2025-01-15", "time": "20:15:00",
            "away_team": "buffalo_bills", "home_team": "miami_dolphins",
            "away_point_spread": 2.5, "away_point_spread_line": -105,
            "home_point_spread": -2.5, "home_point_spread_line": -115,
            "away_money_line": 105, "home_money_line": -125,
            "over_under": 43.5, "over_line": -110, "under_line": null,
            "last_updated": "2025-01-15 09:45:00"
        }],
        "last_updated": crate::examples::instant()
    })
}
