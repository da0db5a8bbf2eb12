use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_http_transport::Audience;
use sports_usecases::data_status::{DataStatus, LeagueStatus};

use super::data_status::DataStatusResponse;
use crate::auth::PublicNow;
use crate::caching::Revalidated;
use crate::error::{ApiError, NothingThere, ServiceFault, Unchanged};
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{Path, SportPath};

/// Check how fresh a league's data is
///
/// Reports whether a league has its data of today. For each market it has the times at which predictions, results,
/// summaries and model tracking were last published. No timestamp depends on the time of the request. A league
/// without any publication is answered with 200 and a null `release_id`. With `as_of` or `generation` it is the status at
/// that moment, which takes the key of an active subscription and counts as a call.
#[utoipa::path(
    get, path = "/api/v1/data-status/{sport}",
    tag = "service",
    params(SportPath, MomentQuery),
    responses(
        (status = 200, description = "The status", body = DataStatusResponse,
            example = json!(example())),
        Unchanged,
        NothingThere,
        ServiceFault,
    ),
)]
pub(super) async fn get_data_status(
    _caller: PublicNow,
    path: Path<Sport>,
    params: Params<MomentQuery>,
    request: HttpRequest,
    moments: RequestMoments,
    data_status: Data<DataStatus>,
) -> Result<HttpResponse, ApiError> {
    // The status depends on the clock as well as on the log, so the answer's own text is its validator.
    let (Path(sport), Params(query)) = (path, params);
    if query.requested().is_none() {
        let status = data_status.league(sport).await?;
        let at = AnswerMoment::present(status.moment.clone());
        let answer = Revalidated(Audience::Public, DataStatusResponse::from_status(sport, &status));
        return Ok(answer.respond_at(&at, &request));
    }
    let at = moments.at(sport, &query).await?;
    let status = at.query(LeagueStatus::at(at.moment().clone())).await?;
    let answer = Revalidated(Audience::KeyHolder, DataStatusResponse::from_status(sport, &status));
    Ok(answer.respond_at(&at, &request))
}

/// Returns an example: the spread predictions hold one game, and newer odds are published than the totals were built
/// with.
fn example() -> Value {
    let (published_at, odds_as_of) = ("2025-01-15T14:50:00Z", "2025-01-15T14:40:00Z");
    let published = json!({ "published_at": published_at });
    let release_id = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22";
    let market = |refresh_deadline: Option<&str>, held_games: Value| {
        json!({
            "status": "fresh", "refresh_pending": refresh_deadline.is_some(), "refresh_deadline": refresh_deadline,
            "release_id": release_id, "source_as_of": odds_as_of, "held_games": held_games,
            "predictions": published, "results": published, "summary": published, "model_tracking": published
        })
    };
    let held = json!([{
        "date": "2025-01-15", "time_est": "20:15:00", "away_team": "buffalo_bills", "home_team": "miami_dolphins"
    }]);
    json!({
        "sport": "nfl", "status": "fresh", "operational": true, "degradation_reason": null, "refresh_pending": true,
        "date": "2025-01-15", "deadline": "2025-01-15T15:15:00Z", "simulated": false,
        "release_id": release_id,
        "run": {
            "id": "nightly-2025-01-15", "started_at": "2025-01-15T14:30:00Z",
            "completed_at": "2025-01-15T14:45:00Z", "slate": "active"
        },
        "markets": {
            "over_under": market(Some("2025-01-15T18:50:00Z"), json!([])),
            "won_on_points": market(None, json!([])),
            "won_on_spread": market(None, held)
        },
        "odds": { "published_at": "2025-01-15T16:50:00Z", "source_as_of": "2025-01-15T16:40:00Z" },
        "awaiting_settlement": { "count": 0, "games": [] }
    })
}
