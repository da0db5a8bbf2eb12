use std::future::{Ready, ready};
use std::ops::Range;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::LINK;
use actix_web::{FromRequest, HttpRequest, HttpResponse, HttpResponseBuilder};
use sports_content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_paging::{GameFilter, Limit, PageRows};
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_season_rows::{JsonPage, RenderedSeason, TabularSeason};
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

/// What pages are made of, each in its form.
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
    /// The page of what a filter leaves of its season.
    pub async fn filtered(
        &self,
        page: ResultsPage,
        filter: &GameFilter,
        limit: Limit,
    ) -> Result<ResultsPage, ApiError> {
        let season = self.rendered(&page).await?;
        Ok(page.of_filtered(&season.index().filtered(filter)?, limit))
    }

    /// Completes a response with a page in one of the forms. Consecutive rows of plain JSON are sent from the buffer of their
    /// season. Any other form is made on the first request for it and cached with other answers.
    pub async fn answer(
        &self,
        page: &ResultsPage,
        form: Form,
        etag: &Etag,
        response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        if let (Format::Json, Encoding::Identity, PageRows::Run(rows)) = (form.format(), etag.encoding(), &page.rows) {
            return self.plain_run(page, rows, response).await;
        }
        let making = self.making(page, &form, etag.encoding())?;
        let name = [form.format().name(), etag.encoding().name(), &format!("{page:?}")];
        let answers = self.piece::<dyn Answers<KeptBody>>("answers")?;
        let body = answers.answer(ObjectHash::from_parts(name.map(str::as_bytes)), making).await?;
        let market = page.season.market;
        let file_name = format!("{}-{}-{}", market.sport, market.model_type, page.season.season);
        form.called(file_name).send(&body, etag, response).await
    }

    /// Makes a page. Tables, and JSON of many rows to be compressed, are made in the queue.
    fn making(
        &self,
        page: &ResultsPage,
        form: &Form,
        encoding: Encoding,
    ) -> Result<Making<'static, KeptBody>, ApiError> {
        let page = page.clone();
        let queue = self.piece::<ComputeQueue>("computation")?;
        let queued = |making: Making<'static, KeptBody>| -> Making<'static, KeptBody> {
            Box::pin(async move { queue.run(making).await })
        };
        Ok(match form.tables()? {
            None => {
                let (is_long, head) = (page.rows.len() > LONG, ResultsResponse::from(&page).json()?);
                let making = Box::pin(json(self.piece("seasons")?, page, head, encoding));
                if is_long && encoding != Encoding::Identity { queued(making) } else { making }
            }
            Some(_) if form.format() == Format::Ndjson => queued(Box::pin(lines(self.piece("seasons")?, page))),
            Some(tables) => queued(Box::pin(table(self.piece("seasons")?, page, tables))),
        })
    }

    async fn plain_run(
        &self,
        page: &ResultsPage,
        rows: &Range<usize>,
        mut response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        let season = self.rendered(page).await?;
        let json = ResultsResponse::from(page).json()?;
        response.content_type(Format::Json.essence());
        Ok(response.body(PageBody::from_parts(json.around(season.json(page.order).slice(rows)))))
    }

    async fn rendered(&self, page: &ResultsPage) -> Result<Arc<RenderedSeason>, ApiError> {
        Ok(self.piece::<dyn SeasonViews<RenderedSeason>>("seasons")?.view(&page.season).await?)
    }

    fn piece<T: ?Sized + 'static>(&self, part: &'static str) -> Result<Arc<T>, ApiError> {
        Ok(provided::<T>(&self.0, part)?.clone().into_inner())
    }
}

/// The number of rows above which compression takes more than a few milliseconds.
const LONG: usize = 500;

async fn json(
    seasons: Arc<dyn SeasonViews<RenderedSeason>>,
    page: ResultsPage,
    json: JsonPage,
    encoding: Encoding,
) -> Result<Arc<KeptBody>, PortError> {
    let rows = seasons.view(&page.season).await?.json(page.order).of_page(&page.rows);
    Ok(Arc::new(KeptBody::json_in(encoding, json.around(rows)).await))
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

/// The beginning of a response, with what every form of a page says in its headers. A table also says where the next page
/// is: `next` is the query of its address.
pub fn headed(form: &Form, page: &ResultsPage, etag: &Etag, next: Option<String>) -> HttpResponseBuilder {
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
