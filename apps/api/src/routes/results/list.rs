use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::Value;
use sports_domain::Market;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_season_rows::RenderedSeason;
use sports_usecases::results::Results;

use super::answer;
use super::query::ResultsQuery;
use super::response::ResultsResponse;
use crate::auth::Subscriber;
use crate::caching::Etag;
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::format::Format;
use crate::params::Params;
use crate::paths::{MarketPath, Path};

/// List graded results
///
/// One row a game, graded or not. Without `season`: the current season, newest game first, by plain
/// offset. With `season`: that season, oldest game first; every later page gives back the first page's
/// `snapshot`, and a season published anew in between answers 409 rather than mix two versions. The same
/// rows come as CSV, NDJSON or Parquet, chosen by `format` or by the `Accept` header; their paging facts
/// are then in the `X-Results-*` headers.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}",
    tag = "results",
    params(MarketPath, ResultsQuery),
    responses(
        (status = 200, description = "One page of a season",
            content(
                (ResultsResponse = "application/json", example = json!(example())),
                (String = "text/csv"),
                (String = "application/x-ndjson"),
                (Vec<u8> = "application/vnd.apache.parquet"),
            ),
            headers(
                ("ETag" = String, description = "Names this page; send it back in If-None-Match"),
                ("X-Grading-Rules"),
                ("X-Results-Season" = String, description = "The season the rows are of"),
                ("X-Results-Total" = u64, description = "Rows of the whole season"),
                ("X-Results-Snapshot" = String, description = "The page's snapshot"),
                ("X-Results-Next-Offset" = u64, description = "Where the next page starts; absent on the last"),
            ),
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
    request: HttpRequest,
    results: Data<Results>,
    seasons: Data<dyn SeasonViews<RenderedSeason>>,
    tables: Data<dyn TableFormat>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params(query)) = (path, params);
    let page = results.page(market, &query.request(market)?, query.limit()).await?;
    let format = query.format().unwrap_or_else(|| Format::accepted_by(&request));
    let validator = Etag::for_request(&request, &[&format!("{page:?}"), format.name()]);
    if validator.is_current(&request) {
        return Ok(answer::headed(HttpResponse::NotModified(), &page, &validator).finish());
    }
    let season = seasons.view(&page.season).await?;
    answer::page(&page, &season, format, &validator, tables.get_ref())
}

/// What a page looks like, cut down to one row.
fn example() -> Value {
    serde_json::from_str(include_str!("example.json")).unwrap_or_default()
}
