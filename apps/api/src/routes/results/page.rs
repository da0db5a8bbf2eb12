use std::sync::Arc;

use actix_web::HttpResponse;
use sports_domain::paging::{GameFilter, Limit, PageRows};
use sports_http_transport::{Encoding, KeptBody};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_tables::{JsonPage, RenderedSeason, SeasonTable as _, TabularSeason};
use sports_usecases::record::off_thread;
use sports_usecases::results::ResultsPage;

use super::{PageBody, ResultsQuery, ResultsResponse};
use crate::answer::{Answer, Body, BodyForm, Cost, LONG_PAGE};
use crate::error::ApiError;
use crate::format::Format;
use crate::params::RawQuery;

/// Cuts the page out of the games of its season that the filter leaves.
pub async fn filtered(
    answer: &Answer,
    page: ResultsPage,
    filter: &GameFilter,
    limit: Limit,
) -> Result<ResultsPage, ApiError> {
    if filter.leaves_all() {
        return Ok(page);
    }
    let season = rendered(answer, &page).await?;
    let index = season.index();
    let started_by = filter.started_by.map_or(Ok(None), |now| index.last_start(filter, now))?;
    let filter = GameFilter { started_by, ..filter.clone() };
    if filter.leaves_all() {
        return Ok(page);
    }
    let left = index.filtered(&filter)?;
    Ok(page.of_filtered(&left, &filter, limit))
}

/// Answers with a page. Consecutive rows of uncompressed JSON are sent from the season's buffer. Any other page is built on its
/// first request and cached.
pub async fn respond_with_page(
    answer: Answer,
    page: ResultsPage,
    query: &ResultsQuery,
) -> Result<HttpResponse, ApiError> {
    let answer = with_page_headers(answer, &page, query);
    let key = (page, answer.encoding());
    let etag = answer.etag(&key);
    if etag.is_current(answer.request()) {
        return Ok(answer.begin(&etag).finish());
    }
    let (page, encoding) = &key;
    if let (Format::Json, Encoding::Identity, PageRows::Run(rows)) = (answer.format(), encoding, &page.rows) {
        let (season, json) = (rendered(&answer, page).await?, ResultsResponse::from(page).json()?);
        let mut response = answer.begin(&etag);
        response.content_type(Format::Json.essence());
        return Ok(response.body(PageBody::from_parts(json.around(season.json(page.order).slice(rows)))));
    }
    let is_table = answer.format().is_table();
    let is_expensive = is_table || (*encoding != Encoding::Identity && page.rows.len() > LONG_PAGE);
    let market = page.season.market;
    let answer =
        answer.called(format!("{}-{}-{}", market.sport, market.model_type, page.season.season)).queued_if(is_expensive);
    let (page, encoding) = (page.clone(), *encoding);
    if is_table {
        let seasons = Arc::clone(&answer.state().published.tabular);
        return answer.respond(&key, async move { Ok(PageTable { seasons, page }) }).await;
    }
    let (seasons, around) = (Arc::clone(&answer.state().published.rendered), ResultsResponse::from(&page).json()?);
    answer.respond(&key, json(seasons, page, around, encoding)).await
}

/// Adds the headers of every form of a page, and to a table the address of its next page.
fn with_page_headers(answer: Answer, page: &ResultsPage, query: &ResultsQuery) -> Answer {
    let format = answer.format();
    let given = RawQuery::parse(answer.request().query_string());
    let next = page.next_offset.filter(|_| format.is_table());
    let link = next.map(|offset| query.next(&given, offset, format, &page.snapshot));
    let mut answer = answer
        .with_header("X-Results-Season", &page.season.season)
        .with_header("X-Results-Total", &page.total)
        .with_header("X-Results-Snapshot", &page.snapshot);
    if let Some(offset) = page.next_offset {
        answer = answer.with_header("X-Results-Next-Offset", &offset);
    }
    match link {
        Some(address) => answer.with_header("Link", &format!("<{address}>; rel=\"next\"")),
        None => answer,
    }
}

async fn rendered(answer: &Answer, page: &ResultsPage) -> Result<Arc<RenderedSeason>, ApiError> {
    let (seasons, season) = (Arc::clone(&answer.state().published.rendered), page.season);
    if let Some(kept) = seasons.cached(&season).await {
        return Ok(kept);
    }
    answer.run(Cost::Cheap, async move { seasons.view(&season).await }).await
}

/// The rows of a page as a table.
struct PageTable {
    seasons: Arc<dyn SeasonViews<TabularSeason>>,
    page: ResultsPage,
}

impl Body for PageTable {
    async fn write(self, form: BodyForm) -> Result<KeptBody, PortError> {
        let tables = form.expect_table()?;
        let (season, page) = (self.seasons.view(&self.page.season).await?, self.page);
        let table = off_thread("a table", move || tables.encode(season.table(page.order, &page.rows))).await?;
        Ok(KeptBody::from_table(table?))
    }
}

async fn json(
    seasons: Arc<dyn SeasonViews<RenderedSeason>>,
    page: ResultsPage,
    around: JsonPage,
    encoding: Encoding,
) -> Result<KeptBody, PortError> {
    let rows = seasons.view(&page.season).await?.json(page.order).of_page(&page.rows);
    Ok(KeptBody::json_in(encoding, around.around(rows)).await)
}
