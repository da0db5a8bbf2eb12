use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_content::ObjectHash;
use sports_domain::{GameLines, Season, Sport};
use sports_movement::{GameHistory, SeasonMovement};
use sports_paging::{HistoryRequest, Limit, Snapshot, page};
use sports_ports::tables::TableColumn;
use utoipa::ToSchema;

use crate::codes::{Code, SportCode};
use crate::error::ApiError;
use crate::routes::odds::history_game::HistoryGame;
use crate::routes::odds::posted_lines::{ClosingLines, OpeningLines};
use crate::tables::{TableOf, Tabular, columns};

/// The openers and closing lines of a season's games.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClosingOddsPage)]
pub struct ClosingResponse {
    /// The league.
    sport: SportCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// The games.
    games: Vec<ClosingItem>,
    /// The time of the release up to which the record was read.
    last_updated: DateTime<Utc>,
    /// The number of games of the season.
    total: usize,
    /// The number of games of the page.
    returned: usize,
    /// The number of the page's first game, from 0.
    offset: usize,
    /// The `offset` of the next page; null on the last page.
    #[schema(required)]
    next_offset: Option<usize>,
    /// The version of the list from which this page was cut; send it with `season` for every later page.
    #[schema(example = "9f2c4e01d7ab3356")]
    snapshot: String,
}

/// The opener and the closing line of one game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClosingOddsGame)]
pub struct ClosingItem {
    #[serde(flatten)]
    game: HistoryGame,
    #[serde(flatten)]
    open: OpeningLines,
    #[serde(flatten)]
    close: ClosingLines,
    /// The time at which the opener was published; null without a line before the start.
    #[schema(required)]
    open_published_at: Option<DateTime<Utc>>,
    /// The time at which the last release was published that quoted the closing line; null without one.
    #[schema(required)]
    close_published_at: Option<DateTime<Utc>>,
    /// The seconds from the source time of that release to the start.
    #[schema(required, example = 25200)]
    close_age_seconds: Option<i64>,
    /// The number of lines before the start, each different from the one before.
    #[schema(example = 4)]
    quotes: usize,
}

/// Every game of a season, oldest first.
pub struct ClosingList {
    games: Vec<ClosingItem>,
    snapshot: Snapshot,
}

/// A part of the list.
pub struct ClosingPage {
    games: Vec<ClosingItem>,
    total: usize,
    offset: usize,
    next_offset: Option<usize>,
    snapshot: Snapshot,
}

/// The message about a page of another version than the first page.
const CHANGED: &str = "Lines of this season changed since this snapshot; start again from the first page, without `snapshot` and `offset`";

/// The length of a snapshot in hexadecimal digits.
const SNAPSHOT_DIGITS: usize = 16;

impl ClosingList {
    /// Collects the games of a season that were quoted.
    pub fn of(movement: &SeasonMovement) -> Self {
        let quoted = movement.games().into_iter().filter(GameHistory::was_quoted);
        let games: Vec<_> = quoted.map(|game| ClosingItem::from(&game)).collect();
        // Numbers and texts can always be written.
        let content = serde_json::to_vec(&games).unwrap_or_default();
        Self { games, snapshot: Snapshot::named(ObjectHash::from_bytes(&content).short(SNAPSHOT_DIGITS)) }
    }

    /// Returns all games as one page.
    pub fn whole(self) -> ClosingPage {
        let total = self.games.len();
        ClosingPage { games: self.games, total, offset: 0, next_offset: None, snapshot: self.snapshot }
    }

    /// Cuts out the requested page.
    pub fn page(mut self, request: &HistoryRequest, limit: Limit) -> Result<ClosingPage, ApiError> {
        let offset = match request {
            HistoryRequest::Current { offset } => {
                self.games.reverse();
                *offset
            }
            HistoryRequest::OfSeason { offset, snapshot, .. } => {
                if snapshot.as_ref().is_some_and(|requested| *requested != self.snapshot) {
                    return Err(ApiError::Conflict(CHANGED.to_owned()));
                }
                *offset
            }
        };
        let cut = page(self.games.len(), offset, limit);
        let total = self.games.len();
        let games = self.games.drain(cut.rows).collect();
        Ok(ClosingPage { games, total, offset, next_offset: cut.next_offset, snapshot: self.snapshot })
    }
}

impl ClosingPage {
    /// Returns the version of the list.
    pub const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Converts the page to an answer.
    pub fn response(self, sport: Sport, season: Season, last_updated: DateTime<Utc>) -> ClosingResponse {
        ClosingResponse {
            sport: Code(sport),
            season: season.to_string(),
            last_updated,
            total: self.total,
            returned: self.games.len(),
            offset: self.offset,
            next_offset: self.next_offset,
            snapshot: self.snapshot.to_string(),
            games: self.games,
        }
    }
}

impl From<&GameHistory<'_>> for ClosingItem {
    fn from(game: &GameHistory<'_>) -> Self {
        let history = game.lines();
        let (open, close) = (history.open(), history.close.as_ref());
        let nothing = GameLines::default();
        Self {
            game: HistoryGame::from(game),
            open: OpeningLines::from(open.map_or(&nothing, |open| &open.lines)),
            close: ClosingLines::from(close.map_or(&nothing, |close| &close.lines)),
            open_published_at: open.map(|open| open.published.published_at),
            close_published_at: close.map(|close| close.last_quoted.published_at),
            close_age_seconds: close.map(|close| close.age.num_seconds()),
            quotes: history.lines.len(),
        }
    }
}

/// Rows are games.
impl Tabular for ClosingResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let games = TableOf::rows(&self.games)
            .constant("sport", self.sport)
            .constant("season", self.season.as_str())
            .part(|item| &item.game, HistoryGame::columns)
            .part(|item| &item.open, OpeningLines::columns)
            .part(|item| &item.close, ClosingLines::columns);
        columns!(games, open_published_at, close_published_at, close_age_seconds)
            .column("quotes", |item| item.quotes as u64)
            .columns()
    }
}
