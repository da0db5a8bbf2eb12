use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use futures::future::BoxFuture;
use serde::{Serialize, Serializer};
use sports_content::ObjectHash;
use sports_domain::{ModelColumn, ModelName};
use sports_http_transport::{Encoding, KeptBody};
use sports_paging::{GameFilter, Limit, PageRows};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_row_formats::{JsonPage, RenderedSeason, SeasonTable as _, TabularSeason};
use sports_usecases::record::off_thread;
use sports_usecases::results::ResultsPage;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::{PageBody, ResultsQuery, ResultsResponse};
use crate::answers::{CachedAnswer, Form};
use crate::arguments::{Argument, from_request};
use crate::codes::Code;
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::AnswerMoment;
use crate::params::RawQuery;
use crate::provided::provided;

/// The answer of a handler to a request for a page of results.
pub struct PageAnswer(CachedAnswer);

from_request! { PageAnswer, request => CachedAnswer::graded(request).map(Self) }

impl Argument for PageAnswer {}

/// The number of rows above which compression takes more than a few milliseconds.
const LONG: usize = 500;

impl PageAnswer {
    /// Sets the moment that the answer is of.
    pub fn at(self, moment: &AnswerMoment) -> Self {
        Self(self.0.at(moment))
    }

    /// Returns the form of the answer: the named one, else the one that the client accepts.
    pub fn form(&self, named: Option<Format>) -> Form {
        Form::chosen(self.0.request(), named)
    }

    /// Cuts the page out of the games of its season that the filter leaves.
    pub async fn filtered(
        &self,
        page: ResultsPage,
        filter: &GameFilter,
        limit: Limit,
    ) -> Result<ResultsPage, ApiError> {
        if filter.leaves_all() {
            return Ok(page);
        }
        let season = self.rendered(&page).await?;
        Ok(page.of_filtered(&season.index().filtered(filter)?, limit))
    }

    /// Answers with a page in a form. Consecutive rows of uncompressed JSON are sent from the season's buffer. Any other
    /// page is built on its first request and cached.
    pub async fn give(self, page: ResultsPage, form: Form, query: &ResultsQuery) -> Result<HttpResponse, ApiError> {
        let content = format!("{page:?}");
        let etag = form.etag(&[&content]);
        let answer = self.with_page_headers(&page, &form, query);
        let mut response = answer.0.response(&form, &etag);
        if etag.is_current(answer.0.request()) {
            return Ok(response.finish());
        }
        if let (Format::Json, Encoding::Identity, PageRows::Run(rows)) = (form.format(), etag.encoding(), &page.rows) {
            let (season, json) = (answer.rendered(&page).await?, ResultsResponse::from(&page).json()?);
            response.content_type(Format::Json.essence());
            return Ok(response.body(PageBody::from_parts(json.around(season.json(page.order).slice(rows)))));
        }
        let market = page.season.market;
        let file_name = format!("{}-{}-{}", market.sport, market.model_type, page.season.season);
        let name = [form.format().name(), etag.encoding().name(), &content];
        let name = ObjectHash::from_parts(name.map(str::as_bytes));
        let is_expensive =
            form.format().is_table() || (etag.encoding() != Encoding::Identity && page.rows.len() > LONG);
        let making = answer.making(page, &form, etag.encoding())?;
        let body = answer.0.body(name, etag.encoding(), is_expensive, making).await?;
        form.called(file_name).send(&body, &etag, response).await
    }

    /// Adds the headers of every form of a page, and to a table the address of its next page.
    fn with_page_headers(self, page: &ResultsPage, form: &Form, query: &ResultsQuery) -> Self {
        let given = RawQuery::parse(self.0.request().query_string());
        let mut answer = self
            .0
            .with_header("X-Results-Season", &page.season.season)
            .with_header("X-Results-Total", &page.total)
            .with_header("X-Results-Snapshot", &page.snapshot);
        if let Some(offset) = page.next_offset {
            answer = answer.with_header("X-Results-Next-Offset", &offset);
            if form.format().is_table() {
                let next = query.next(&given, offset, form.format(), &page.snapshot);
                answer = answer.with_header("Link", &format!("<{next}>; rel=\"next\""));
            }
        }
        Self(answer)
    }

    fn making(
        &self,
        page: ResultsPage,
        form: &Form,
        encoding: Encoding,
    ) -> Result<BoxFuture<'static, Result<KeptBody, PortError>>, ApiError> {
        Ok(match form.tables()? {
            None => {
                let around = ResultsResponse::from(&page).json()?;
                Box::pin(json(self.piece("seasons")?, page, around, encoding))
            }
            Some(tables) => Box::pin(table(self.piece("seasons")?, page, tables)),
        })
    }

    async fn rendered(&self, page: &ResultsPage) -> Result<Arc<RenderedSeason>, ApiError> {
        let (seasons, season) = (self.piece::<dyn SeasonViews<RenderedSeason>>("seasons")?, page.season);
        if let Some(kept) = seasons.kept(&season).await {
            return Ok(kept);
        }
        self.0.in_turn(async move { seasons.view(&season).await }).await
    }

    fn piece<T: ?Sized + 'static>(&self, part: &'static str) -> Result<Arc<T>, ApiError> {
        Ok(provided::<T>(self.0.request(), part)?.clone().into_inner())
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

async fn table(
    seasons: Arc<dyn SeasonViews<TabularSeason>>,
    page: ResultsPage,
    tables: Arc<dyn TableFormat>,
) -> Result<KeptBody, PortError> {
    let season = seasons.view(&page.season).await?;
    let table = off_thread("a table", move || tables.encode(season.table(page.order, &page.rows))).await?;
    Ok(KeptBody::from_table(table?))
}

/// The points of each model that has any, by the model's name, in the order of the names.
#[derive(Debug)]
pub struct PointsByModel<P>(BTreeMap<ModelName, Vec<P>>);

impl<P> PointsByModel<P> {
    /// Returns true if no model has a point.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<P: Serialize> Serialize for PointsByModel<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(model, points)| (Code(*model), points)))
    }
}

impl<P> FromIterator<(ModelName, Vec<P>)> for PointsByModel<P> {
    fn from_iter<I: IntoIterator<Item = (ModelName, Vec<P>)>>(curves: I) -> Self {
        Self(curves.into_iter().collect())
    }
}

impl<P: ToSchema> PartialSchema for PointsByModel<P> {
    fn schema() -> RefOr<Schema> {
        let points = || ArrayBuilder::new().items(Ref::from_schema_name(P::name()));
        let models = ModelColumn::ALL.into_iter();
        let described = ObjectBuilder::new().description(Some("Points by model; a model without any is left out."));
        let described = described.additional_properties(Some(points()));
        models.fold(described, |object, model| object.property(model.name(), points())).into()
    }
}

impl<P: ToSchema> ToSchema for PointsByModel<P> {
    fn name() -> Cow<'static, str> {
        format!("{}sByModel", P::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((P::name().into_owned(), P::schema()));
        P::schemas(schemas);
    }
}
