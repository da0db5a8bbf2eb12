use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::paging::{HistoryRequest, Limit, Snapshot, page};
use sports_domain::{GameLines, Season, Sport};
use sports_ports::tables::TableColumn;
use sports_publication::Catalog;
use sports_publication::movement::{GameHistory, LineMark, SeasonMovement};
use sports_usecases::moment::LeagueMoment;
use sports_usecases::record::off_thread;
use sports_usecases::season_walk::{known_seasons, season_of_odds};
use utoipa::ToSchema;

use super::history::HistoryGame;
use super::list::{ClosingLines, FirstLines, OpeningLines};
use crate::answer::{Answer, Rows};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{Code, LineMarkCode, SportCode};
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::examples::read_example;
use crate::format::Format;
use crate::moments::RequestMoments;
use crate::params::{Given, MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::state::State;
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// List first and closing lines
///
/// One row for each started game of a season that the releases here have quoted: its first lines in this log (`first_…`), its
/// last lines with a price before the start (`close_…`), and the age of the latter; both are those of the game's history. Beside
/// them are the publisher's openers (`open_…`), which are those of the results. A game without a time counts as started at the end
/// of its date. `state=all` adds the games that have not started, with `mark: "latest"`: their line can still move. A game that was
/// called off is in neither list. JSON comes in pages: without `season` the current
/// season, newest game first; with `season` that season, oldest game first, and every later page sends the first page's
/// `snapshot`. CSV, NDJSON and Parquet hold every row.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/closing",
    tag = "odds",
    params(SportPath),
    responses(
        (status = 200, description = "The games", body = ClosingResponse,
            example = json!(read_example(include_str!("closing/example.json")))),
        Unchanged,
        SnapshotChanged,
        NothingThere,
    ),
)]
pub(super) async fn list_closing_odds(
    _reader: RecordReader<OfSeason>,
    path: Path<Sport>,
    params: Params<(ClosingQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((query, moment))) = (path, params);
    let (request, answer) = (query.request()?, answer.in_format(query.format()));
    let at = moments.at(sport, &moment).await?;
    let nothing = || ApiError::NotFound(format!("No odds are published for {sport}"));
    let catalog = at.moment().catalog().ok_or_else(nothing)?;
    let season = season(&request, catalog).map_err(|error| at.failure(error))?;
    let movement = at.query(state.published.histories.odds(at.moment(), season)).await?;
    // A season's worth of histories takes milliseconds.
    let (moment, games) = (at.moment().clone(), query.state.unwrap_or(ClosingState::Started));
    let list = off_thread("closing lines", move || ClosingList::of(&movement, &moment, games)).await?;
    let answer = answer.changing_at(list.changes_at);
    let page = if !answer.format().is_table() {
        list.page(&request, query.limit()).map_err(|error| at.failure(error))?
    } else if query.is_page() {
        return Err(page_of_a_table());
    } else {
        list.whole()
    };
    let last_updated = catalog.published_at;
    let limit = query.limit().get();
    let key = (sport, season, request, page.snapshot.to_string(), limit, last_updated);
    let making = async move { Ok(Rows(ClosingResponse::new(page, sport, season, last_updated))) };
    answer.at(&at).validated_by_body().respond(&key, making).await
}

/// Returns the requested season, by default the current one.
fn season(request: &HistoryRequest, catalog: &Catalog) -> Result<Season, ApiError> {
    let current = season_of_odds(catalog);
    let HistoryRequest::OfSeason { season, .. } = request else { return Ok(current) };
    let is_known = known_seasons(catalog).contains(season);
    let unknown = || ApiError::NotFound(format!("Season {season} of {} is not on record", catalog.sport));
    if is_known { Ok(*season) } else { Err(unknown()) }
}

query_params! {
    /// The parameters of a list of closing lines.
    #[derive(Debug)]
    pub struct ClosingQuery {
        /// The games: those that have started (`started`, the default), or `all` of them.
        #[param(inline)]
        state: Option<ClosingState> = |given| given.parse("started or all", ClosingState::read),
        /// The largest number of games of a page of JSON.
        #[param(minimum = 1, maximum = 100_000, default = 100, value_type = Option<u32>)]
        limit: Option<Limit> = Given::limit,
        /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others. With it: that season, oldest game first; without
        /// it: the current season, newest game first.
        #[param(value_type = Option<String>)]
        season: Option<Season> = Given::season,
        /// The first game of the page. Beyond the first page of a `season`, that page's `snapshot` is required.
        #[param(minimum = 0, maximum = 2_147_483_647, default = 0, value_type = Option<u32>)]
        offset: Option<usize> = Given::offset,
        /// The first page's `snapshot`, with its `season`. If a line changed or a game started since, the answer is 409: start
        /// again from the first page rather than combine two versions.
        snapshot: Option<String> = Given::snapshot,
        /// The form of the answer; without it the `Accept` header decides.
        format: Option<Format> = Given::format,
    }
}

/// The games of a list of closing lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ClosingState {
    /// Games that have started.
    Started,
    /// Games that have not started, too.
    All,
}

impl ClosingState {
    fn read(word: &str) -> Option<Self> {
        [("started", Self::Started), ("all", Self::All)]
            .into_iter()
            .find(|(name, _)| *name == word)
            .map(|(_, state)| state)
    }
}

impl ClosingQuery {
    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the largest number of games of a page.
    pub fn limit(&self) -> Limit {
        self.limit.unwrap_or(Limit::DEFAULT)
    }

    /// Returns true if the request is for a page of games.
    pub const fn is_page(&self) -> bool {
        self.limit.is_some() || self.offset.is_some() || self.snapshot.is_some()
    }

    /// Converts season, offset and snapshot to a request.
    pub fn request(&self) -> Result<HistoryRequest, ApiError> {
        HistoryRequest::new(self.season, self.offset.unwrap_or_default(), self.snapshot.clone().map(Snapshot::named))
            .map_err(|reason| ApiError::BadRequest(reason.to_string()))
    }
}

/// Returns the refusal of a page of a table.
pub fn page_of_a_table() -> ApiError {
    let detail =
        "`limit`, `offset` and `snapshot` are of JSON pages: CSV, NDJSON and Parquet hold every game of the season";
    ApiError::BadRequest(detail.to_owned())
}

wire! {
    /// The first and closing lines of a season's games.
    #[schema(as = ClosingOddsPage)]
    pub struct ClosingResponse(page: ClosingPage, sport: Sport, season: Season, read_at: DateTime<Utc>) {
        let returned = page.games.len();

        /// The league.
        sport: SportCode = Code(sport),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = season.to_string(),
        /// The games.
        games: Vec<ClosingItem> = page.games,
        /// The time of the release up to which the record was read.
        last_updated: DateTime<Utc> = read_at,
        /// The number of games of the list, on all pages.
        total: usize = page.total,
        /// The number of games of the page.
        returned: usize = returned,
        /// The number of the page's first game, from 0.
        offset: usize = page.offset,
        /// The `offset` of the next page; null on the last page.
        #[schema(required)]
        next_offset: Option<usize> = page.next_offset,
        /// The version of the list from which this page was cut; send it with `season` for every later page.
        #[schema(example = "9f2c4e01d7ab3356")]
        snapshot: String = page.snapshot.to_string(),
    }
}

wire! {
    /// The first line, the opener and the closing line of one game.
    #[schema(as = ClosingOddsGame)]
    pub row ClosingItem(game: &GameHistory<'_>, has_closed: bool) {
        let history = game.lines();
        let (first, last) = (history.first(), history.close.as_ref());
        let nothing = GameLines::default();

        #[serde(flatten)]
        game: HistoryGame = HistoryGame::new(game),
        /// The start, UTC; null if its time is unknown.
        #[schema(required)]
        starts_at: Option<DateTime<Utc>> = game.starts_at(),
        /// The mark of the last line: `close` of a game that has started, `latest` of another, whose line can still move.
        #[schema(value_type = LineMarkCode, example = "close")]
        mark: LineMarkCode = Code(if has_closed { LineMark::Close } else { LineMark::Latest }),
        #[serde(flatten)]
        first: FirstLines = FirstLines::new(first.map_or(&nothing, |first| &first.lines)),
        #[serde(flatten)]
        open: OpeningLines = OpeningLines::new(&game.openers()),
        #[serde(flatten)]
        close: ClosingLines = ClosingLines::new(last.map_or(&nothing, |last| &last.lines)),
        /// The time at which the first line was published; null without a line before the start.
        #[schema(required)]
        first_published_at: Option<DateTime<Utc>> = first.map(|first| first.published.published_at),
        /// The time at which the last release was published that quoted the closing line; null without one.
        #[schema(required)]
        close_published_at: Option<DateTime<Utc>> = last.map(|last| last.last_quoted.published_at),
        /// The seconds from the source time of that release to the start.
        #[schema(required, example = 25200)]
        close_age_seconds: Option<i64> = last.map(|last| last.age.num_seconds()),
        /// The number of lines before the start, each different from the one before.
        #[schema(example = 4)]
        quotes: usize = history.lines.len(),
    }
}

/// The requested games of a season, oldest first.
pub struct ClosingList {
    games: Vec<ClosingItem>,
    snapshot: Snapshot,
    /// The next start, at which the list changes.
    changes_at: Option<DateTime<Utc>>,
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
const CHANGED: &str = "Lines of this season changed or a game started since this snapshot; start again from the first page, without `snapshot` and `offset`";

/// The length of a snapshot in hexadecimal digits.
const SNAPSHOT_DIGITS: usize = 16;

impl ClosingList {
    /// Collects the games of a season that were quoted and not called off.
    fn of(movement: &SeasonMovement, moment: &LeagueMoment, state: ClosingState) -> Self {
        let is_listed = |game: &GameHistory<'_>| game.was_quoted() && !game.is_called_off() && moment.shows(game.key());
        let (mut games, mut changes_at) = (Vec::new(), None);
        for game in movement.games().into_iter().filter(is_listed) {
            let has_closed = game.has_closed(moment.now());
            if !has_closed {
                changes_at = changes_at.into_iter().chain([game.closes_at()]).min();
            }
            if has_closed || state == ClosingState::All {
                games.push(ClosingItem::new(&game, has_closed));
            }
        }
        // Numbers and texts can always be written.
        let content = serde_json::to_vec(&games).unwrap_or_default();
        let snapshot = Snapshot::named(ObjectHash::from_bytes(&content).short(SNAPSHOT_DIGITS));
        Self { games, snapshot, changes_at }
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

/// Rows are games.
impl Tabular for ClosingResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let games = TableOf::rows(&self.games).constant("sport", self.sport).constant("season", self.season.as_str());
        with_fields(games).columns()
    }
}
