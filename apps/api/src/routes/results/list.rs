use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::Value;
use sports_domain::Market;
use sports_usecases::results::Results;

use super::answer::PageAnswer;
use super::query::ResultsQuery;
use super::response::ResultsResponse;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::params::Params;
use crate::paths::{MarketPath, Path};

/// List graded results
///
/// One row a game, graded or not. Without `season`: the current season, newest game first, by plain
/// offset. With `season`: that season, oldest game first; every later page gives back the first page's
/// `snapshot`, and a season published anew in between answers 409 rather than mix two versions. `from`, `to` and
/// `team` leave some of the games; pages are then pages of what is left, and `total` counts it. The same
/// rows come as CSV, NDJSON or Parquet, chosen by `format` or by the `Accept` header: all of them unless there
/// is a `limit`, and with their paging facts in the `X-Results-*` headers and `Link`.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}",
    tag = "results",
    params(MarketPath, ResultsQuery),
    responses(
        (status = 200, description = "One page of a season",
            body = ResultsResponse,
            headers(
                ("ETag" = String, description = "Names this page; send it back in If-None-Match"),
                ("X-Grading-Rules"),
                ("X-Results-Season" = String, description = "The season the rows are of"),
                ("X-Results-Total" = u64, description = "Rows of the whole season, or those that the filters leave"),
                ("X-Results-Snapshot" = String, description = "The page's snapshot"),
                ("X-Results-Next-Offset" = u64, description = "Where the next page starts; absent on the last"),
                ("Link" = String, description = "Of a table that is one of several pages: the next page's address, without the key"),
            ),
            example = json!(example()),
        ),
        Unchanged,
        SnapshotChanged,
        NothingThere,
    ),
)]
pub(super) async fn list_results(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<ResultsQuery>,
    results: Data<Results>,
    answer: PageAnswer,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params(query)) = (path, params);
    let form = answer.form(query.format());
    let (request, filter, limit) = (query.request()?, query.filter()?, query.limit(form.format()));
    let page = results.page(market, &request, limit).await?;
    let page = answer.filtered(page, &filter, limit).await?;
    answer.give(page, form, &query).await
}

/// What a page looks like, cut down to one row.
fn example() -> Value {
    serde_json::from_str(include_str!("example.json")).unwrap_or_default()
}
