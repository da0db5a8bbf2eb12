use std::borrow::Cow;

use actix_web::HttpResponse;
use chrono::NaiveDate;
use serde::Serialize;
use sports_domain::Market;
use sports_publication::season_table::{InRows, InSeasons, SEASON_COLUMNS};
use sports_tables::JsonPage;
use sports_usecases::results::Results;
use sports_usecases::season_tables::TableSubject;
use utoipa::openapi::schema::{AdditionalProperties, Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::page::{filtered, respond_with_page};
use super::seasons::give_seasons;
use super::{ResultsQuery, ResultsResponse};
use crate::answer::{Answer, SelectionTables};
use crate::auth::{OfSeason, RecordReader};
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::examples::read_example;
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::rows_schema::{column_schema, page_schema, word_schemas};
use crate::state::State;

/// List graded results
///
/// One row a game, graded or not. Without `season`: the current season, newest game first, by plain offset. With
/// `season`: that season, oldest game first. Games without a time are after the others of their date, by away team, home
/// team and number; newest first is the exact reverse. Every later page then sends the first page's `snapshot`; a season
/// published anew in between answers 409, so that two versions are not mixed. `from`, `to`, `team` and `state` select games;
/// pages and `total` then cover the selected games only. The same rows are available as CSV, NDJSON or Parquet,
/// chosen by `format` or by the `Accept` header. A table holds all rows unless there is a `limit`, and has its paging
/// data in the `X-Results-*` headers and `Link`. A table can have several seasons (`season=2022-23,2023-24` or
/// `season=all`): one file of at most 100,000 games, one call, and one `ETag` for all of it. It is made of every named
/// season on its first request, in the queue of expensive computations.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}",
    tag = "results",
    params(MarketPath),
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
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<(ResultsQuery, MomentQuery)>,
    moments: RequestMoments,
    state: State,
    answer: Answer,
    tables: SelectionTables,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((query, moment))) = (path, params);
    let answer = answer.in_format(query.format());
    let several = query.several(answer.format())?;
    let at = moments.at(market.sport, &moment).await?;
    match several {
        Some(choice) => {
            let subject = TableSubject::Market(market);
            Box::pin(give_seasons(subject, &choice, query.filter()?, tables, answer, &at)).await
        }
        None => give_page(market, &query, answer, &state.published.results, at).await,
    }
}

/// Answers with a page of one season.
async fn give_page(
    market: Market,
    query: &ResultsQuery,
    answer: Answer,
    results: &Results,
    at: AnswerMoment,
) -> Result<HttpResponse, ApiError> {
    let (request, filter, limit) = (query.request()?, query.filter()?, query.limit(answer.format()));
    let (moment, page) = at.query(results.page(at.moment().clone(), market, &request, limit)).await?;
    let at = at.followed_by(moment);
    let answer = answer.graded().at(&at);
    let filter = at.filter(filter, page.source_end);
    let page = filtered(&answer, page, &filter, limit).await.map_err(|error| at.failure(error))?;
    page.expect_snapshot(&request).map_err(|error| at.failure(error))?;
    respond_with_page(answer, page, query).await
}

/// The schema of one row of a season: its fields are the columns of the season table. Rows themselves are written by
/// `sports-tables`.
pub struct ResultItem;

impl PartialSchema for ResultItem {
    fn schema() -> RefOr<Schema> {
        let description = "One game, graded or not. Rows are flexible: a season may have further columns.";
        let mut row = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(description))
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)));
        for column in SEASON_COLUMNS.iter().filter(|column| column.in_seasons != InSeasons::None) {
            row = row.property(column.name, column_schema(column, column.in_rows == InRows::OrNull));
            if column.in_seasons == InSeasons::All && column.in_rows != InRows::OrLeftOut {
                row = row.required(column.name);
            }
        }
        RefOr::T(Schema::Object(row.build()))
    }
}

impl ToSchema for ResultItem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ResultRow")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(word_schemas());
    }
}

// One page of the rows of a season, as results and games have it.

/// A kind of page.
pub trait PageKind {
    /// The name of the schema.
    const NAME: &'static str;
    /// The description of the schema.
    const DESCRIPTION: &'static str;
    /// The field that holds the rows.
    const ROWS: &'static str;
    /// The fields before the rows.
    type Head: Serialize + ToSchema;
    /// The fields behind the rows that are described for the kind.
    type Totals: Serialize + ToSchema;
    /// A row.
    type Item: ToSchema;
}

/// A page: its head, the rows, and the fields behind them.
pub struct SeasonPage<K: PageKind> {
    /// The fields before the rows.
    pub head: K::Head,
    /// The first fields behind the rows.
    pub totals: K::Totals,
    /// The last fields.
    pub cut: PageCut,
}

/// The part of a season that a page has.
#[derive(Serialize, ToSchema)]
pub struct PageCut {
    /// The number of rows of the page.
    pub returned: usize,
    /// The number of the page's first row, from 0.
    pub offset: usize,
    /// The `offset` of the next page; null on the last page.
    #[schema(required)]
    pub next_offset: Option<usize>,
    /// The version of the season from which this page was cut; send it with `season` for every later page.
    #[schema(example = "9f2c4e01d7ab3356")]
    pub snapshot: String,
    /// The season's first game date.
    #[schema(required)]
    pub source_start: Option<NaiveDate>,
    /// The season's last game date.
    #[schema(required)]
    pub source_end: Option<NaiveDate>,
}

impl<K: PageKind> SeasonPage<K> {
    /// Writes the page without its rows as JSON, to be sent around them.
    ///
    /// # Errors
    ///
    /// [`ApiError::Internal`] if a field cannot be written.
    pub fn json(&self) -> Result<JsonPage, ApiError> {
        let page = JsonPage::new(&self.head, K::ROWS, (&self.totals, &self.cut));
        page.map_err(|error| ApiError::Internal(error.into()))
    }
}

impl<K: PageKind> PartialSchema for SeasonPage<K> {
    fn schema() -> RefOr<Schema> {
        let (head, totals) = (K::Head::schema(), K::Totals::schema());
        page_schema(K::DESCRIPTION, head, K::ROWS, &K::Item::name(), [totals, PageCut::schema()])
    }
}

impl<K: PageKind> ToSchema for SeasonPage<K> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(K::NAME)
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        K::Head::schemas(schemas);
        K::Totals::schemas(schemas);
        PageCut::schemas(schemas);
        schemas.push((K::Item::name().into_owned(), K::Item::schema()));
        K::Item::schemas(schemas);
    }
}
