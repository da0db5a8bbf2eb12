use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Sport;
use sports_usecases::today;

use super::response::OddsResponse;
use crate::answers::{SlateAnswers, SlateQuestion, SlateVersion};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
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
            example = json!(read_example(include_str!("example.json")))),
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
    let named = today::odds(at.moment()).map_err(|error| at.failure(error))?;
    let version = SlateVersion { artifact: named.artifact().clone(), model: None, models: None, floor: None };
    let page = async move { Ok(OddsResponse::from_current(sport, &named.read().await?)) };
    answers.give_as(&request, (format, at.head()), (SlateQuestion::Odds(sport), version), page).await
}
