use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Market;
use sports_usecases::results::{Results, check_dates};
use sports_usecases::season_tables::TableSubject;

use super::answer::PageAnswer;
use super::query::ResultsQuery;
use super::response::ResultsResponse;
use super::seasons_table::give_seasons;
use crate::answers::{Form, SeasonTableAnswer};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::examples::read_example;
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{MarketPath, Path};

/// List graded results
///
/// One row a game, graded or not. Without `season`: the current season, newest game first, by plain offset. With
/// `season`: that season, oldest game first. Every later page then sends the first page's `snapshot`; a season
/// published anew in between answers 409, so that two versions are not mixed. `from`, `to` and `team` select games;
/// pages and `total` then cover the selected games only. The same rows are available as CSV, NDJSON or Parquet,
/// chosen by `format` or by the `Accept` header. A table holds all rows unless there is a `limit`, and has its paging
/// data in the `X-Results-*` headers and `Link`. A table can have several seasons (`season=2022-23,2023-24` or
/// `season=all`): one file of at most 100,000 games, one call, and one `ETag` for all of it. It is made of every named
/// season on its first request, in the queue of expensive computations.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}",
    tag = "results",
    params(MarketPath, ResultsQuery, MomentQuery),
    responses(
        (status = 200, description = "One page of a season",
            body = ResultsResponse,
            headers(
                ("ETag" = String, description = "Identifies this page; send it back in If-None-Match"),
                ("X-Grading-Rules"),
                ("X-Results-Season" = String, description = "The season the rows are of; with commas between several"),
                ("X-Results-Total" = u64, description = "Rows of the whole season, or of the selected games"),
                ("X-Results-Snapshot" = String, description = "The page's snapshot"),
                ("X-Results-Next-Offset" = u64, description = "The `offset` of the next page; absent on the last"),
                ("Link" = String, description = "On a table with a next page: its address, without the key"),
            ),
            example = json!(read_example(include_str!("example.json"))),
        ),
        Unchanged,
        SnapshotChanged,
        NothingThere,
    ),
)]
pub(super) async fn list_results(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(ResultsQuery, MomentQuery)>,
    moments: RequestMoments,
    results: Data<Results>,
    answer: PageAnswer,
    table: SeasonTableAnswer,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((query, moment))) = (path, params);
    let form = answer.form(query.format());
    let several = query.several(form.format())?;
    let at = moments.at(market.sport, &moment).await?;
    match several {
        Some(choice) => {
            let subject = TableSubject::Market(market);
            Box::pin(give_seasons(subject, &choice, query.filter()?, table, &at, form)).await
        }
        None => give_page(market, &query, answer, &results, at, form).await,
    }
}

/// Answers with a page of one season.
async fn give_page(
    market: Market,
    query: &ResultsQuery,
    answer: PageAnswer,
    results: &Results,
    at: AnswerMoment,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let (request, filter, limit) = (query.request()?, query.filter()?, query.limit(form.format()));
    let (moment, page) = at.query(results.page(at.moment().clone(), market, &request, limit)).await?;
    let at = at.followed_by(moment);
    check_dates(at.moment(), market, page.season.season, filter.dates).map_err(|error| at.failure(error))?;
    let answer = answer.at(&at);
    let page = answer.filtered(page, &filter, limit).await.map_err(|error| at.failure(error))?;
    answer.give(page, form, query).await
}
