//! The history of a market: its seasons, and the rows of each page of results.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::content::ObjectHash;
use sports_domain::paging::{FilteredGames, GameFilter, HistoryRequest, Limit, Order, PageRows, Snapshot, page};
use sports_domain::{DateSpan, Market, ModelType, Season, Sport, eastern_date};
use sports_grading::RULES_VERSION;
use sports_ledger::{Ledger, Sought};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_ports::seasons::SeasonRef;
use sports_publication::{Generation, ResultsEntry};
use tokio::sync::Mutex;

use crate::chosen_models::NoSuchModel;
use crate::moment::{LeagueMoment, Moments};
use crate::record::{CurrentGenerations, NotReadYet};
use crate::season_tables::snapshot_started_by;
use crate::season_walk::WalkError;

/// Queries of a market's history, resolved from the catalog of a moment without opening an archive.
#[derive(Clone)]
pub struct Results {
    moments: Arc<Moments>,
    past: Arc<PastArchives>,
}

/// One page of a season.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResultsPage {
    /// The archive that contains the rows.
    pub season: SeasonRef,
    /// The order of the rows.
    pub order: Order,
    /// The rows of the page, as positions in that order.
    pub rows: PageRows,
    /// The requested offset, which may be past the end.
    pub offset: usize,
    /// The number of rows in the season, graded or not; after filtering, the number of matching rows.
    pub total: usize,
    /// The offset of the next page; `None` on the last page.
    pub next_offset: Option<usize>,
    /// An identifier of the season's content under these grading rules.
    pub snapshot: Snapshot,
    /// The publication time of the archive.
    pub last_updated: DateTime<Utc>,
    /// The date of the season's first game.
    pub source_start: Option<NaiveDate>,
    /// The date of the season's last game.
    pub source_end: Option<NaiveDate>,
}

impl ResultsPage {
    /// Returns the same page of the season that a filter leaves.
    pub fn of_filtered(self, left: &FilteredGames<'_>, filter: &GameFilter, limit: Limit) -> Self {
        let (rows, next_offset) = left.page(self.order, self.offset, limit);
        let started = filter.started_by.map(|instant| snapshot_started_by(&self.snapshot, instant));
        let snapshot = started.unwrap_or_else(|| self.snapshot.clone());
        Self { rows, next_offset, total: left.total(), snapshot, ..self }
    }

    /// Checks that the page has the requested snapshot.
    ///
    /// # Errors
    ///
    /// [`ResultsError::SnapshotChanged`] if it has another one.
    pub fn expect_snapshot(&self, request: &HistoryRequest) -> Result<(), ResultsError> {
        let SeasonRef { market, season, .. } = self.season;
        let is_other = request.snapshot().is_some_and(|requested| *requested != self.snapshot);
        if is_other { Err(ResultsError::SnapshotChanged { market, season }) } else { Ok(()) }
    }
}

/// The seasons of a market.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeasonList {
    /// All seasons, newest first.
    pub seasons: Vec<Season>,
    /// The latest season with a game played against a posted line.
    pub current: Option<Season>,
    /// True if the current season is in progress.
    pub live: bool,
}

/// An error in finding a page of results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The league's log has not been read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// A part of the generation cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PortError),
    /// The log entries of the season cannot be read yet, or at all.
    #[error(transparent)]
    Unwalked(#[from] WalkError),
    /// The league has no such model.
    #[error(transparent)]
    NoSuchModel(#[from] NoSuchModel),
    /// The market has no archive.
    #[error("no results are published for {0}")]
    NothingPublished(Market),
    /// The market has no archive of this season.
    #[error("no results are published for {market} in season {season}")]
    NoSuchSeason {
        /// The league and model type.
        market: Market,
        season: Season,
    },
    /// The requested dates lie outside the season.
    #[error("season {season} of {market} has no such dates")]
    OutsideSeason {
        /// The league and model type.
        market: Market,
        /// The searched season.
        season: Season,
        /// The seasons that have such dates, oldest first.
        seasons: Vec<Season>,
    },
    /// The season was published again after the snapshot.
    #[error("season {season} of {market} was published anew since this snapshot")]
    SnapshotChanged {
        /// The league and model type.
        market: Market,
        season: Season,
    },
    /// The snapshot is not that of the season at the requested moment.
    #[error("this is not the snapshot of season {season} at that moment")]
    AnotherMoment { season: Season },
    /// The snapshot was never issued for this season, or too long ago to be known.
    #[error("this is no snapshot of season {season} of {market}")]
    NoSuchSnapshot {
        /// The league and model type.
        market: Market,
        season: Season,
    },
}

/// The length of a snapshot in hexadecimal digits.
const SNAPSHOT_DIGITS: usize = 16;

/// The maximum age in days of the last decided game of a season in progress.
const LIVE_DAYS: u64 = 14;

impl Results {
    /// Creates the queries of these moments.
    pub fn new(moments: Arc<Moments>) -> Self {
        Self { moments, past: Arc::default() }
    }

    /// Returns the requested page, and the moment that it belongs to: a later one if only a later generation has the
    /// requested snapshot. Where games are under embargo, the page [has its snapshot](ResultsPage::expect_snapshot) only without
    /// them.
    ///
    /// # Errors
    ///
    /// [`ResultsError`] if there is no such page.
    pub async fn page(
        &self,
        moment: LeagueMoment,
        market: Market,
        request: &HistoryRequest,
        limit: Limit,
    ) -> Result<(LeagueMoment, ResultsPage), ResultsError> {
        let answer = page_at(&moment, market, request, limit);
        let Err(ResultsError::SnapshotChanged { season, .. }) = answer else {
            return answer.map(|page| (moment, page));
        };
        if moment.requested().is_some() {
            return Err(ResultsError::AnotherMoment { season });
        }
        // Another node may have issued this snapshot from a newer generation, so the log is polled once.
        let moment = self.moments.after_a_poll(&moment).await?;
        match page_at(&moment, market, request, limit) {
            Err(changed @ ResultsError::SnapshotChanged { season, .. })
                if self.had_snapshot(market, season, request).await =>
            {
                Err(changed)
            }
            Err(ResultsError::SnapshotChanged { market, season }) => {
                Err(ResultsError::NoSuchSnapshot { market, season })
            }
            answer => answer.map(|page| (moment, page)),
        }
    }

    /// Returns true if the requested snapshot belonged to an earlier archive of the season. If the log cannot be read,
    /// assumes that it did.
    async fn had_snapshot(&self, market: Market, season: Season, request: &HistoryRequest) -> bool {
        let HistoryRequest::OfSeason { snapshot: Some(requested), .. } = request else { return true };
        if requested.as_str().len() != SNAPSHOT_DIGITS {
            return false;
        }
        let archives = self.past.archives(self.moments.generations(), market, season).await;
        archives.is_none_or(|archives| archives.iter().any(|object| snapshot(market, season, object) == *requested))
    }
}

/// Returns the page that a moment has.
fn page_at(
    moment: &LeagueMoment,
    market: Market,
    request: &HistoryRequest,
    limit: Limit,
) -> Result<ResultsPage, ResultsError> {
    let (season, entry) = entry(moment, market, request)?;
    let snapshot = snapshot(market, season, &entry.artifact.object);
    let (order, offset) = match request {
        HistoryRequest::Current { offset } => (Order::NewestFirst, *offset),
        HistoryRequest::OfSeason { offset, snapshot: requested, .. } => {
            let is_whole = !moment.may_hide(entry.coverage.last_date);
            if is_whole && requested.as_ref().is_some_and(|requested| *requested != snapshot) {
                return Err(ResultsError::SnapshotChanged { market, season });
            }
            (Order::OldestFirst, *offset)
        }
    };
    let page = page(entry.coverage.rows, offset, limit);
    Ok(ResultsPage {
        season: moment.season(market, season, &entry.artifact),
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

/// Returns the archive of a season; that of the current one where none is named.
///
/// # Errors
///
/// [`ResultsError`] if the season is not published.
pub fn archive_of(moment: &LeagueMoment, market: Market, season: Option<Season>) -> Result<SeasonRef, ResultsError> {
    let request = match season {
        Some(season) => HistoryRequest::OfSeason { season, offset: 0, snapshot: None },
        None => HistoryRequest::Current { offset: 0 },
    };
    let (season, entry) = entry(moment, market, &request)?;
    Ok(moment.season(market, season, &entry.artifact))
}

fn entry<'m>(
    moment: &'m LeagueMoment,
    market: Market,
    request: &HistoryRequest,
) -> Result<(Season, &'m ResultsEntry), ResultsError> {
    let (catalog, model_type) = (moment.catalog().ok_or(ResultsError::NothingPublished(market))?, market.model_type);
    let default = catalog.default_season(model_type).ok_or(ResultsError::NothingPublished(market))?;
    match request {
        HistoryRequest::Current { .. } => Ok(default),
        HistoryRequest::OfSeason { season, .. } => {
            let entry = catalog.results.get(&(model_type, *season));
            Ok((*season, entry.ok_or(ResultsError::NoSuchSeason { market, season: *season })?))
        }
    }
}

/// Returns the seasons of a market; empty if the league has no release.
pub fn seasons(moment: &LeagueMoment, market: Market) -> SeasonList {
    let Some(catalog) = moment.catalog() else { return SeasonList::default() };
    let current = catalog.current_season(market.model_type);
    let since = eastern_date(moment.now()).checked_sub_days(Days::new(LIVE_DAYS));
    SeasonList {
        seasons: catalog.seasons(market.model_type).map(|(season, _)| season).rev().collect(),
        current: current.map(|(season, _)| season),
        live: current.is_some_and(|(_, entry)| entry.coverage.last_decided_date >= since),
    }
}

/// The seasons of a league that are over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FinishedSeasons {
    pub seasons: BTreeSet<Season>,
    /// True if no other season is published.
    pub are_all: bool,
}

/// Returns the seasons of a league that are [finished](sports_publication::Catalog::finished_seasons) at a moment.
pub fn finished_seasons(moment: &LeagueMoment) -> FinishedSeasons {
    let Some(catalog) = moment.catalog() else {
        return FinishedSeasons { are_all: true, ..FinishedSeasons::default() };
    };
    let seasons = catalog.finished_seasons(eastern_date(moment.now()));
    let all: BTreeSet<_> = catalog.results.keys().map(|(_, season)| *season).collect();
    FinishedSeasons { are_all: seasons == all, seasons }
}

/// Checks that some of the dates lie in a season of a market; `seasons` are all of its seasons, oldest first. Dates after the
/// newest season are no error, because games may be added to it.
pub(crate) fn expect_dates(
    market: Market,
    season: Season,
    dates: DateSpan,
    seasons: &[(Season, &ResultsEntry)],
) -> Result<(), ResultsError> {
    let newest = seasons.last().map(|(newest, _)| *newest);
    let has_dates = |(of, entry): &(Season, &ResultsEntry)| {
        let (Some(first), Some(last)) = (entry.coverage.first_date, entry.coverage.last_date) else { return false };
        let is_over = dates.begins_after(last) && !(newest == Some(season) && *of == season);
        !is_over && dates.to().is_none_or(|to| first <= to)
    };
    let is_searched = |(of, _): &&(Season, &ResultsEntry)| *of == season;
    let is_unlimited = dates == DateSpan::default();
    if is_unlimited || seasons.iter().find(is_searched).is_none_or(has_dates) {
        return Ok(());
    }
    let seasons = seasons.iter().filter(|known| has_dates(known)).map(|(season, _)| *season).collect();
    Err(ResultsError::OutsideSeason { market, season, seasons })
}

/// Returns the snapshot of a season: the hash of its market, label, archive and grading rules. Markets without
/// predictions can share an archive while their rows differ, so the market is included.
pub(crate) fn snapshot(market: Market, season: Season, object: &ObjectHash) -> Snapshot {
    let parts = [market.to_string(), season.to_string(), object.to_string(), RULES_VERSION.to_owned()];
    Snapshot::named(ObjectHash::from_parts(parts.iter().map(String::as_bytes)).short(SNAPSHOT_DIGITS))
}

// The earlier archives of a season.

/// The maximum number of log entries searched.
const ENTRIES: u64 = 256;

/// The number of entries read concurrently.
const AT_ONCE: usize = 16;

/// Archives named by earlier log entries, read on demand, each league by itself. An entry never changes, so each is read once.
#[derive(Debug)]
struct PastArchives(HashMap<Sport, Mutex<NamedArchives>>);

impl Default for PastArchives {
    fn default() -> Self {
        Self(Sport::ALL.into_iter().map(|sport| (sport, Mutex::default())).collect())
    }
}

#[derive(Debug, Default)]
struct NamedArchives {
    /// The newest entry read so far.
    through: Option<Generation>,
    named: HashSet<(ModelType, Season, ObjectHash)>,
}

impl PastArchives {
    /// Returns every archive of a season named by the league's last entries; `None` if the log cannot be read.
    async fn archives(
        &self,
        generations: &CurrentGenerations,
        market: Market,
        season: Season,
    ) -> Option<Vec<ObjectHash>> {
        let newest = generations.current(market.sport).ok().flatten()?.catalog().generation;
        let mut past = self.0[&market.sport].lock().await;
        past.extend_to(generations.ledgers().of(market.sport), newest).await.ok()?;
        let of_season =
            past.named.iter().filter(|(model_type, of, _)| (*model_type, *of) == (market.model_type, season));
        Some(of_season.map(|(_, _, object)| *object).collect())
    }
}

impl NamedArchives {
    async fn extend_to(&mut self, ledger: &Arc<Ledger>, newest: Generation) -> Result<(), PortError> {
        let first = self.through.map_or(1, |through| through.get() + 1).max(newest.get().saturating_sub(ENTRIES));
        let generations = stream::iter((first..=newest.get()).filter_map(Generation::new));
        let entries: Vec<_> =
            generations.map(|generation| readable(ledger, generation)).buffered(AT_ONCE).try_collect().await?;
        for LogEntry { catalog, .. } in entries.into_iter().flatten() {
            let named = catalog.results.into_iter().map(|((model_type, season), entry)| (model_type, season, entry));
            self.named.extend(named.map(|(model_type, season, entry)| (model_type, season, entry.artifact.object)));
        }
        self.through = Some(newest);
        Ok(())
    }
}

/// Returns an entry; `None` if it does not exist or is damaged, since a damaged entry was never served.
async fn readable(ledger: &Arc<Ledger>, generation: Generation) -> Result<Option<LogEntry>, PortError> {
    let Ok(place) = ledger.find(Sought::Number(generation)).await? else { return Ok(None) };
    match ledger.entry(&place.facts).await {
        Err(PortError::Corrupt { .. }) => Ok(None),
        read => read.map(Some),
    }
}
