use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Sport;
use sports_usecases::record::CorrectionWalks;

use super::query::CorrectionsQuery;
use super::response::CorrectionsResponse;
use crate::answers::RecordAnswer;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::Params;
use crate::paths::{Path, SportPath};

/// List corrections of what was recorded
///
/// Every change of a game with a live forecast after it was recorded: another final or status, another start, a withdrawn
/// forecast. A first final corrects nothing, nor does a first status without a final. The list is read from the leaves of the
/// league's tree alone, so each item has the index of its leaf, and nothing from before the tree is in it: `complete_since` is
/// the generation from which it is complete. JSON comes in pages, oldest correction first; CSV, NDJSON and Parquet hold every
/// correction since `since_generation`.
#[utoipa::path(
    get, path = "/api/v1/corrections/{sport}",
    tag = "results",
    params(SportPath, CorrectionsQuery),
    responses(
        (status = 200, description = "The corrections", body = CorrectionsResponse,
            example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_corrections(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<CorrectionsQuery>,
    answer: RecordAnswer,
    moments: RequestMoments,
    corrections: Data<CorrectionWalks>,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let (since, limit) = (query.since(), query.limit(answer.is_table(query.format()))?);
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("Nothing is published for {sport}"));
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone()).ok_or_else(nothing)?;
    let moment = at.moment().clone();
    let page = corrections.into_inner().page(&moment, since, limit).await?;
    let identity = format!("{sport} {since} {limit} {newest}");
    let making = async move { Ok(CorrectionsResponse::new(sport, &page)) };
    answer.at(&at).give_as(query.format(), &identity, making).await
}
