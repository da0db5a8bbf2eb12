use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_row_formats::JsonPage;
use sports_usecases::results::ResultsPage;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::item::ResultItem;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::ApiError;
use crate::rows_schema::page_schema;

/// One page of a season: its head, the rows under `results`, and its tail.
pub struct ResultsResponse {
    head: Head,
    tail: Tail,
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
struct Head {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page after its rows.
#[derive(Serialize, ToSchema)]
struct Tail {
    /// The time at which the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of rows of the season, graded or not.
    total: usize,
    /// The number of rows of the page.
    returned: usize,
    /// The number of the page's first row, from 0.
    offset: usize,
    /// The `offset` of the next page; null on the last page.
    #[schema(required)]
    next_offset: Option<usize>,
    /// The version of the season from which this page was cut; send it with `season` for every later page.
    #[schema(example = "9f2c4e01d7ab3356")]
    snapshot: String,
    /// The season's first game date.
    #[schema(required)]
    source_start: Option<NaiveDate>,
    /// The season's last game date.
    #[schema(required)]
    source_end: Option<NaiveDate>,
}

/// The field that holds the rows.
const ROWS: &str = "results";

impl From<&ResultsPage> for ResultsResponse {
    fn from(page: &ResultsPage) -> Self {
        let market = page.season.market;
        let head = Head {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: page.season.season.to_string(),
        };
        let tail = Tail {
            last_updated: page.last_updated,
            total: page.total,
            returned: page.rows.len(),
            offset: page.offset,
            next_offset: page.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.source_start,
            source_end: page.source_end,
        };
        Self { head, tail }
    }
}

impl ResultsResponse {
    /// Writes the head and the tail as JSON, to be sent around the rows.
    pub fn json(&self) -> Result<JsonPage, ApiError> {
        JsonPage::new(&self.head, ROWS, &self.tail).map_err(|error| ApiError::Internal(error.into()))
    }
}

impl PartialSchema for ResultsResponse {
    fn schema() -> RefOr<Schema> {
        page_schema("One page of a season.", Head::schema(), (ROWS, &ResultItem::name()), Tail::schema())
    }
}

impl ToSchema for ResultsResponse {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ResultsPage")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Head::schemas(schemas);
        Tail::schemas(schemas);
        schemas.push((ResultItem::name().into_owned(), ResultItem::schema()));
        ResultItem::schemas(schemas);
    }
}
