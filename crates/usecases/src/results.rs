//! A market's history: which seasons there are, and which rows of which archive a page is.

use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, Utc};
use sports_content::ObjectHash;
use sports_domain::{Market, Season, eastern_date};
use sports_grading::RULES_VERSION;
use sports_paging::{FilteredGames, HistoryRequest, Limit, Order, PageRows, Snapshot, page};
use sports_ports::Clock;
use sports_ports::seasons::SeasonRef;
use sports_publication::ResultsEntry;

use crate::record::{CurrentGenerations, NotReadYet, PastArchives};

/// Answers questions about a market's history from the current catalog; no archive is opened.
#[derive(Clone)]
pub struct Results {
    generations: Arc<CurrentGenerations>,
    past: Arc<PastArchives>,
    clock: Arc<dyn Clock>,
}

/// One page of a season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsPage {
    /// The archive the rows are in.
    pub season: SeasonRef,
    /// The order the page is cut in.
    pub order: Order,
    /// The page's rows, counted in that order.
    pub rows: PageRows,
    /// Where the page was asked to start, also past the end.
    pub offset: usize,
    /// Rows of the season, graded or not; where games are filtered, those that are left.
    pub total: usize,
    /// Where the next page starts; `None` on the last.
    pub next_offset: Option<usize>,
    /// Names this content under these grading rules.
    pub snapshot: Snapshot,
    /// When the archive was published.
    pub last_updated: DateTime<Utc>,
    /// The season's first game date.
    pub source_start: Option<NaiveDate>,
    /// The season's last game date.
    pub source_end: Option<NaiveDate>,
}

impl ResultsPage {
    /// The page of what a filter leaves of the season, asked for in the same way.
    #[must_use]
    pub fn of_filtered(self, left: &FilteredGames<'_>, limit: Limit) -> Self {
        let (rows, next_offset) = left.page(self.order, self.offset, limit);
        Self { rows, next_offset, total: left.total(), ..self }
    }
}

/// The seasons of a market.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeasonList {
    /// Every season, newest first.
    pub seasons: Vec<Season>,
    /// The latest with a game played against a posted line.
    pub current: Option<Season>,
    /// Whether that season is in progress.
    pub live: bool,
}

/// Why there is no such page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResultsError {
    /// The league's log was not read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// The market has no archive at all.
    #[error("no results are published for {0}")]
    NothingPublished(Market),
    /// The market has archives, but not of this season.
    #[error("no results are published for {market} in season {season}")]
    NoSuchSeason {
        /// The league and model type.
        market: Market,
        /// The season.
        season: Season,
    },
    /// The season was published anew since the snapshot.
    #[error("season {season} of {market} was published anew since this snapshot")]
    SnapshotChanged {
        /// The league and model type.
        market: Market,
        /// The season.
        season: Season,
    },
    /// The snapshot was never one of the season, or long ago.
    #[error("this is no snapshot of season {season} of {market}")]
    NoSuchSnapshot {
        /// The league and model type.
        market: Market,
        /// The season.
        season: Season,
    },
}

/// Hexadecimal digits of a snapshot.
const SNAPSHOT_DIGITS: usize = 16;

/// A season is in progress when a game was decided within this many days.
const LIVE_DAYS: u64 = 14;

impl Results {
    /// Answers from the current generations.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, past: Arc::default(), clock }
    }

    /// Finds the page a request asks for.
    ///
    /// # Errors
    ///
    /// [`ResultsError`].
    pub async fn page(
        &self,
        market: Market,
        request: &HistoryRequest,
        limit: Limit,
    ) -> Result<ResultsPage, ResultsError> {
        let answer = self.page_now(market, request, limit);
        let Err(ResultsError::SnapshotChanged { .. }) = answer else { return answer };
        // Another node may have given this snapshot out a moment before us: look once more.
        self.generations.poll_league(market.sport).await;
        match self.page_now(market, request, limit) {
            Err(changed @ ResultsError::SnapshotChanged { season, .. }) if self.had(market, season, request).await => {
                Err(changed)
            }
            Err(ResultsError::SnapshotChanged { market, season }) => {
                Err(ResultsError::NoSuchSnapshot { market, season })
            }
            answer => answer,
        }
    }

    /// Whether a season had the snapshot a request names before the one it has. Where the log cannot be asked,
    /// that is believed.
    async fn had(&self, market: Market, season: Season, request: &HistoryRequest) -> bool {
        let HistoryRequest::OfSeason { snapshot: Some(asked), .. } = request else { return true };
        if asked.as_str().len() != SNAPSHOT_DIGITS {
            return false;
        }
        let archives = self.past.archives(&self.generations, market, season).await;
        archives.is_none_or(|archives| archives.iter().any(|object| snapshot(market, season, object) == *asked))
    }

    fn page_now(&self, market: Market, request: &HistoryRequest, limit: Limit) -> Result<ResultsPage, ResultsError> {
        let (season, entry) = self.entry(market, request)?;
        let snapshot = snapshot(market, season, &entry.artifact.object);
        let (order, offset) = match request {
            HistoryRequest::Current { offset } => (Order::NewestFirst, *offset),
            HistoryRequest::OfSeason { offset, snapshot: asked, .. } => {
                if asked.as_ref().is_some_and(|asked| *asked != snapshot) {
                    return Err(ResultsError::SnapshotChanged { market, season });
                }
                (Order::OldestFirst, *offset)
            }
        };
        let page = page(entry.coverage.rows, offset, limit);
        Ok(ResultsPage {
            season: SeasonRef::from_artifact(market, season, &entry.artifact),
            order,
            rows: PageRows::Run(page.rows),
            offset,
            total: entry.coverage.rows,
            next_offset: page.next_offset,
            snapshot,
            last_updated: entry.artifact.published_at,
            source_start: entry.coverage.first_date,
            source_end: entry.coverage.last_date,
        })
    }

    fn entry(&self, market: Market, request: &HistoryRequest) -> Result<(Season, ResultsEntry), ResultsError> {
        let Some(league) = self.generations.current(market.sport)? else {
            return Err(ResultsError::NothingPublished(market));
        };
        let (catalog, model_type) = (league.catalog(), market.model_type);
        let default = catalog.default_season(model_type).ok_or(ResultsError::NothingPublished(market))?;
        let (season, entry) = match request {
            HistoryRequest::Current { .. } => default,
            HistoryRequest::OfSeason { season, .. } => {
                let entry = catalog.results.get(&(model_type, *season));
                (*season, entry.ok_or(ResultsError::NoSuchSeason { market, season: *season })?)
            }
        };
        Ok((season, entry.clone()))
    }

    /// The market's seasons; empty where nothing is published.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once.
    pub fn seasons(&self, market: Market) -> Result<SeasonList, NotReadYet> {
        let Some(league) = self.generations.current(market.sport)? else { return Ok(SeasonList::default()) };
        let current = league.catalog().current_season(market.model_type);
        let since = eastern_date(self.clock.now()).checked_sub_days(Days::new(LIVE_DAYS));
        Ok(SeasonList {
            seasons: league.catalog().seasons(market.model_type).map(|(season, _)| season).rev().collect(),
            current: current.map(|(season, _)| season),
            live: current.is_some_and(|(_, entry)| entry.coverage.last_decided_date >= since),
        })
    }
}

/// Names what a page is cut from: the archive's content and the rules that grade it. Markets without
/// predictions can share an archive, and their rows still differ.
pub(crate) fn snapshot(market: Market, season: Season, object: &ObjectHash) -> Snapshot {
    let parts = [market.to_string(), season.to_string(), object.to_string(), RULES_VERSION.to_owned()];
    Snapshot::named(ObjectHash::from_parts(parts.iter().map(String::as_bytes)).short(SNAPSHOT_DIGITS))
}
