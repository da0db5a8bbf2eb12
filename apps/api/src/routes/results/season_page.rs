//! One page of the rows of a season, as results and games have it.

use std::borrow::Cow;

use chrono::NaiveDate;
use serde::Serialize;
use sports_row_formats::JsonPage;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::error::ApiError;
use crate::rows_schema::page_schema;

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
        page_schema(K::DESCRIPTION, head, (K::ROWS, &K::Item::name()), [totals, PageCut::schema()])
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
