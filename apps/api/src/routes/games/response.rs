use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_paging::PageRows;
use sports_row_formats::JsonPage;
use sports_usecases::games::GamesSeason;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::item::GameItem;
use crate::answers::SelectedRows;
use crate::codes::{Code, SportCode};
use crate::error::ApiError;
use crate::rows_schema::page_schema;

/// One page of the games of a season: its head, the rows under `games`, and its tail.
pub struct GamesResponse {
    head: Head,
    tail: Tail,
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
struct Head {
    /// The league.
    sport: SportCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page after its rows.
#[derive(Serialize, ToSchema)]
struct Tail {
    /// The time at which a market of the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of games of the season, or of the selected games.
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
const ROWS: &str = "games";

impl GamesResponse {
    /// Creates the page of these rows.
    #[must_use]
    pub fn new(sport: Sport, page: &GamesSeason, rows: &SelectedRows) -> Self {
        let head = Head { sport: Code(sport), season: page.season.season.to_string() };
        let tail = Tail {
            last_updated: page.season.last_updated,
            total: rows.total,
            returned: rows.seasons.iter().map(PageRows::len).sum(),
            offset: page.offset,
            next_offset: rows.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.season.first_date,
            source_end: page.season.last_date,
        };
        Self { head, tail }
    }

    /// Writes the head and the tail as JSON, to be sent around the rows.
    ///
    /// # Errors
    ///
    /// [`ApiError::Internal`] if a field cannot be written.
    pub fn json(&self) -> Result<JsonPage, ApiError> {
        JsonPage::new(&self.head, ROWS, &self.tail).map_err(|error| ApiError::Internal(error.into()))
    }
}

impl PartialSchema for GamesResponse {
    fn schema() -> RefOr<Schema> {
        page_schema("One page of the games of a season.", Head::schema(), (ROWS, &GameItem::name()), Tail::schema())
    }
}

impl ToSchema for GamesResponse {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("GamesPage")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Head::schemas(schemas);
        Tail::schemas(schemas);
        schemas.push((GameItem::name().into_owned(), GameItem::schema()));
        GameItem::schemas(schemas);
    }
}
