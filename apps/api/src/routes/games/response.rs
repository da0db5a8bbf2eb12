use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_paging::PageRows;
use sports_usecases::games::GamesSeason;
use utoipa::ToSchema;

use super::item::GameItem;
use crate::answers::SelectedRows;
use crate::codes::{Code, SportCode};
use crate::routes::results::season_page::{PageCut, PageKind, SeasonPage};

/// One page of the games of a season.
pub type GamesResponse = SeasonPage<Games>;

/// The kind of a page of games.
pub enum Games {}

impl PageKind for Games {
    const NAME: &'static str = "GamesPage";
    const DESCRIPTION: &'static str = "One page of the games of a season.";
    const ROWS: &'static str = "games";
    type Head = Head;
    type Totals = Totals;
    type Item = GameItem;
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
pub struct Head {
    /// The league.
    sport: SportCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page behind its rows that are about its season.
#[derive(Serialize, ToSchema)]
pub struct Totals {
    /// The time at which a market of the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of games of the season, or of the selected games.
    total: usize,
}

impl GamesResponse {
    /// Creates the page of these rows.
    pub fn new(sport: Sport, page: &GamesSeason, rows: &SelectedRows) -> Self {
        let cut = PageCut {
            returned: rows.seasons.iter().map(PageRows::len).sum(),
            offset: page.offset,
            next_offset: rows.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.season.first_date,
            source_end: page.season.last_date,
        };
        Self {
            head: Head { sport: Code(sport), season: page.season.season.to_string() },
            totals: Totals { last_updated: page.season.last_updated, total: rows.total },
            cut,
        }
    }
}
