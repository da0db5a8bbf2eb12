use std::future::{Ready, ready};
use std::ops::Range;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, HeaderValue, LINK};
use actix_web::{FromRequest, HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use sports_content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_paging::{GameFilter, Limit, Order, PageRows};
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_row_formats::{JsonPage, RenderedSeason, TabularSeason};
use sports_usecases::record::off_thread;
use sports_usecases::results::ResultsPage;

use super::page_body::PageBody;
use super::response::ResultsResponse;
use crate::answers::{Form, KeptBody};
use crate::arguments::Argument;
use crate::caching::{Audience, Etag};
use crate::compute_queue::ComputeQueue;
use crate::encoding::Encoding;
use crate::error::ApiError;
use crate::format::Format;
use crate::provided::provided;

/// The sources of a results page in each of its formats, taken from the request.
pub struct PageForms(HttpRequest);

impl FromRequest for PageForms {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.clone())))
    }
}

impl Argument for PageForms {}

impl PageForms {
    /// Cuts the page out of the games of its season that the filter leaves.
    pub async fn filtered(
        &self,
        page: ResultsPage,
        filter: &GameFilter,
        limit: Limit,
    ) -> Result<ResultsPage, ApiError> {
        let season = self.rendered(&page).await?;
        Ok(page.of_filtered(&season.index().filtered(filter)?, limit))
    }

    /// Completes the response with the page in its format. Consecutive rows of JSON are sent from the season's
    /// buffer; every other body is built once and cached with other answers.
    pub async fn answer(
        &self,
        page: &ResultsPage,
        form: Form,
        etag: &Etag,
        response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        if let (Format::Json, PageRows::Run(rows)) = (form.format(), &page.rows) {
            return self.run_of_json(page, rows, etag, response).await;
        }
        let format = form.format().name();
        let name = ObjectHash::from_parts([format, &format!("{page:?}")].map(str::as_bytes));
        let queue: Arc<ComputeQueue> = self.piece("computation")?;
        let made: Making<'_, KeptBody> = match form.tables()? {
            None => Box::pin(json(self.piece("seasons")?, page, ResultsResponse::from(page).json()?)),
            Some(_) if form.format() == Format::Ndjson => {
                Box::pin(queue.run(lines(self.piece("seasons")?, page.clone())))
            }
            Some(tables) => Box::pin(queue.run(table(self.piece("seasons")?, page.clone(), tables))),
        };
        let body = self.piece::<dyn Answers<KeptBody>>("answers")?.answer(name, made).await?;
        let market = page.season.market;
        let file_name = format!("{}-{}-{}", market.sport, market.model_type, page.season.season);
        form.called(file_name).send(&body, etag, response).await
    }

    async fn run_of_json(
        &self,
        page: &ResultsPage,
        rows: &Range<usize>,
        etag: &Etag,
        mut response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        let season = self.rendered(page).await?;
        let json = Arc::new(ResultsResponse::from(page).json()?);
        response.content_type(Format::Json.essence());
        Ok(match compressed(etag.encoding(), page.order, rows, &season, &json).await? {
            Some(compressed) => {
                if let Some(encoding) = etag.encoding().content_encoding() {
                    response.insert_header((CONTENT_ENCODING, encoding));
                }
                response.body(compressed)
            }
            None => response.body(PageBody::from_parts(json.around(season.json(page.order).slice(rows)))),
        })
    }

    async fn rendered(&self, page: &ResultsPage) -> Result<Arc<RenderedSeason>, ApiError> {
        Ok(self.piece::<dyn SeasonViews<RenderedSeason>>("seasons")?.view(&page.season).await?)
    }

    fn piece<T: ?Sized + 'static>(&self, part: &'static str) -> Result<Arc<T>, ApiError> {
        Ok(provided::<T>(&self.0, part)?.clone().into_inner())
    }
}

/// Returns a compressed page; `None` if it is sent uncompressed. Compressing a season for its first such page takes
/// long, so it is done off the worker thread.
async fn compressed(
    encoding: Encoding,
    order: Order,
    rows: &Range<usize>,
    season: &Arc<RenderedSeason>,
    json: &Arc<JsonPage>,
) -> Result<Option<Bytes>, ApiError> {
    let Some(compression) = encoding.compression() else { return Ok(None) };
    if season.json(order).are_compressed(compression) {
        return Ok(season.json(order).compressed_page(compression, json, rows));
    }
    let (season, json, rows) = (Arc::clone(season), Arc::clone(json), rows.clone());
    let first = move || season.json(order).compressed_page(compression, &json, &rows);
    Ok(off_thread("a compressed season", first).await?)
}

/// Builds a JSON page of rows that are not consecutive.
async fn json(
    seasons: Arc<dyn SeasonViews<RenderedSeason>>,
    page: &ResultsPage,
    json: JsonPage,
) -> Result<Arc<KeptBody>, PortError> {
    let rows = seasons.view(&page.season).await?.json(page.order).of_page(&page.rows);
    let content_type = HeaderValue::from_static(Format::Json.essence());
    Ok(Arc::new(KeptBody::new(content_type, json.around(rows).concat().into())))
}

async fn lines(seasons: Arc<dyn SeasonViews<RenderedSeason>>, page: ResultsPage) -> Result<Arc<KeptBody>, PortError> {
    let season = seasons.view(&page.season).await?;
    let lines = off_thread("lines", move || season.ndjson(page.order, &page.rows)).await?;
    Ok(Arc::new(KeptBody::from_table(lines)))
}

async fn table(
    seasons: Arc<dyn SeasonViews<TabularSeason>>,
    page: ResultsPage,
    tables: Arc<dyn TableFormat>,
) -> Result<Arc<KeptBody>, PortError> {
    let season = seasons.view(&page.season).await?;
    let table = off_thread("a table", move || tables.encode(season.table(page.order, &page.rows))).await?;
    Ok(Arc::new(KeptBody::from_table(table?)))
}

/// Starts the response, with the headers that every format of a page has. A table also has a `Link` to the next page,
/// whose query is `next`.
pub fn with_page_headers(form: &Form, page: &ResultsPage, etag: &Etag, next: Option<String>) -> HttpResponseBuilder {
    let mut response = form.response(etag, Audience::KeyHolder);
    response
        .insert_header(("X-Grading-Rules", RULES_VERSION))
        .insert_header(("X-Results-Season", page.season.season.to_string()))
        .insert_header(("X-Results-Total", page.total))
        .insert_header(("X-Results-Snapshot", page.snapshot.as_str()));
    if let Some(next_offset) = page.next_offset {
        response.insert_header(("X-Results-Next-Offset", next_offset));
    }
    if let Some(next) = next {
        response.insert_header((LINK, format!("<{next}>; rel=\"next\"")));
    }
    response
}
