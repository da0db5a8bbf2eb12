use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_usecases::results::ResultsPage;
use utoipa::ToSchema;

use super::item::ResultItem;
use super::season_page::{PageCut, PageKind, SeasonPage};
use crate::codes::{Code, ModelTypeCode, SportCode};

/// One page of a season.
pub type ResultsResponse = SeasonPage<Results>;

/// The kind of a page of results.
pub enum Results {}

impl PageKind for Results {
    const NAME: &'static str = "ResultsPage";
    const DESCRIPTION: &'static str = "One page of a season.";
    const ROWS: &'static str = "results";
    type Head = Head;
    type Totals = Totals;
    type Item = ResultItem;
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
pub struct Head {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page behind its rows that are about its season.
#[derive(Serialize, ToSchema)]
pub struct Totals {
    /// The time at which the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of rows of the season, graded or not.
    total: usize,
}

impl From<&ResultsPage> for ResultsResponse {
    fn from(page: &ResultsPage) -> Self {
        let market = page.season.market;
        let head = Head {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: page.season.season.to_string(),
        };
        let cut = PageCut {
            returned: page.rows.len(),
            offset: page.offset,
            next_offset: page.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.source_start,
            source_end: page.source_end,
        };
        Self { head, totals: Totals { last_updated: page.last_updated, total: page.total }, cut }
    }
}
