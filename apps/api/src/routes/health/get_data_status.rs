use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Sport;
use sports_http_transport::Audience;
use sports_usecases::data_status::{DataStatus, LeagueStatus};

use super::data_status::DataStatusResponse;
use crate::auth::PublicNow;
use crate::caching::Revalidated;
use crate::error::{ApiError, NothingThere, ServiceFault, Unchanged};
use crate::examples::read_example;
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{Path, SportPath};

/// Check how fresh a league's data is
///
/// Reports whether a league has its data of today. For each market it has the times at which predictions, results,
/// summaries and model tracking were last published. No timestamp depends on the time of the request. A league
/// without any publication is answered with 200 and a null `release_id`. With `as_of` or `generation` it is the status at
/// that moment, which takes the key of an active subscription and counts as a call.
// In the example the spread predictions hold one game, and newer odds are published than the totals were built with.
#[utoipa::path(
    get, path = "/api/v1/data-status/{sport}",
    tag = "service",
    params(SportPath, MomentQuery),
    responses(
        (status = 200, description = "The status", body = DataStatusResponse,
            example = json!(read_example(include_str!("data_status_example.json")))),
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
