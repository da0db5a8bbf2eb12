//! Lists of published releases.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::{ModelName, ModelType, Season, Sport};
use sports_ledger::{Beyond, EntryFacts, Head, Ledgers, NoPlace, NotLinked, Sought, entry_before, is_simulated};
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::{PortError, error_chain};
use sports_publication::registry::Registry;
use sports_publication::{Catalog, ClockSource, Generation};

use crate::record::{CurrentGenerations, LeagueGeneration, NotReadYet, Slates};

const PORT: &str = "the publication log";

/// The newest releases of a league.
#[derive(Debug, Clone, PartialEq)]
pub struct Releases {
    /// Entries of the log, newest first.
    pub entries: Vec<LogEntry>,
    /// True if any entry of the record, listed or not, was published with a time set by hand.
    pub simulated: bool,
}

/// A release in a list: its entry, and its changes of the models.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRelease {
    /// The log entry of the release.
    pub entry: LogEntry,
    /// The own models that the release declared, in order of declaration.
    pub models_declared: Vec<ModelName>,
    /// The own models that the release retired, in order of declaration.
    pub models_retired: Vec<ModelName>,
}

/// Returns the newest `limit` entries of a league's log, newest first.
///
/// # Errors
///
/// [`PortError`] if the log cannot be read; [`PortError::Corrupt`] if an entry is missing from its middle.
pub async fn releases(log: &dyn PublicationLog, sport: Sport, limit: usize) -> Result<Releases, PortError> {
    let Head { newest, beyond, .. } = Head::read(log, sport).await?;
    let head = newest.as_ref().map(|newest| &newest.entry.catalog);
    if let Some(lost) = beyond.iter().rev().find(|beyond| beyond.reason.may_be_lost_history(head)) {
        return Err(hole(sport, lost.generation));
    }
    // A log with unusable files is damaged, not empty.
    if let (None, Some(Beyond { reason: NotLinked::Unreadable(error), .. })) = (head, beyond.first()) {
        return Err(PortError::corrupt(PORT, error_chain(&**error)));
    }
    let mut entries = Vec::new();
    let mut next = newest.map(|newest| Arc::unwrap_or_clone(newest.entry));
    while let Some(entry) = next.filter(|_| entries.len() < limit) {
        next = match entry_before(log, &entry.catalog).await? {
            None if entry.catalog.previous.is_some() && entries.len() + 1 < limit => {
                return Err(hole(sport, entry.catalog.generation));
            }
            before => before,
        };
        entries.push(entry);
    }
    let listed = entries.iter().any(|entry| entry.catalog.clock == ClockSource::Set);
    let simulated = match entries.first() {
        Some(newest) if !listed => is_simulated(log, &newest.catalog).await?,
        _ => listed,
    };
    Ok(Releases { entries, simulated })
}

/// Returns the releases of these entries with their changes of the models.
///
/// # Errors
///
/// [`PortError`] if the registry of an entry cannot be read.
pub async fn with_models(slates: &Slates, entries: Vec<LogEntry>) -> Result<Vec<ListedRelease>, PortError> {
    let (mut releases, mut read) = (Vec::new(), (None, Registry::default()));
    for entry in entries {
        if entry.catalog.models != read.0 {
            read = (entry.catalog.models, slates.registry(&entry.catalog).await?);
        }
        let generation = entry.catalog.generation;
        releases.push(ListedRelease {
            models_declared: read.1.declared_in(generation).collect(),
            models_retired: read.1.retired_in(generation).collect(),
            entry,
        });
    }
    Ok(releases)
}

fn hole(sport: Sport, number: Generation) -> PortError {
    let reason = format!("entry {number} of {sport} does not continue those before it, or some are missing");
    PortError::corrupt(PORT, reason)
}

/// The entry that was the newest at an instant, and its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleaseAt {
    pub current: LogEntry,
    /// The entry before.
    pub previous: Option<LogEntry>,
    /// The entry after.
    pub next: Option<LogEntry>,
}

/// An error in finding the release of an instant.
#[derive(Debug, thiserror::Error)]
pub enum NoReleaseAt {
    /// The league has no release.
    #[error("nothing is published for {0}")]
    NothingPublished(Sport),
    /// The first release is later.
    #[error("nothing was published for {sport} then: its first release is of {first}")]
    BeforeFirst {
        sport: Sport,
        /// The publication time of the first release.
        first: DateTime<Utc>,
    },
    /// The log cannot be read around the instant.
    #[error(transparent)]
    Unreadable(#[from] PortError),
}

/// Returns the newest entry of a league that was published at or before an instant.
///
/// # Errors
///
/// [`NoReleaseAt`] if there is none, or if it cannot be read.
pub async fn release_at(ledgers: &Ledgers, sport: Sport, instant: DateTime<Utc>) -> Result<ReleaseAt, NoReleaseAt> {
    let ledger = ledgers.of(sport);
    let found = ledger.find(Sought::At(instant)).await?;
    let place = found.map_err(|none| match none {
        NoPlace::BeforeFirst(first) => NoReleaseAt::BeforeFirst { sport, first },
        NoPlace::Unreadable(number) | NoPlace::AboveNewest(number) => hole(sport, number).into(),
        NoPlace::Empty | NoPlace::NoMember => NoReleaseAt::NothingPublished(sport),
    })?;
    let read = async |number: Option<Generation>| match number {
        Some(number) => match ledger.find(Sought::Number(number)).await? {
            Ok(place) => ledger.entry(&place.facts).await.map(Some),
            Err(_) => Ok(None),
        },
        None => Ok(None),
    };
    let (previous, next) = (read(place.before).await?, read(place.after).await?);
    Ok(ReleaseAt { current: ledger.entry(&place.facts).await?, previous, next })
}

/// Queries of recent releases, resolved from the current generations.
pub struct RecentReleases(Arc<CurrentGenerations>);

/// A release and its changes.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentRelease {
    /// The log entry of the release.
    pub entry: Arc<LogEntry>,
    /// True if the release contained odds.
    pub odds: bool,
    /// The markets for which the release contained predictions.
    pub predictions: Vec<ModelType>,
    /// The seasons that the release changed.
    pub seasons: Vec<SeasonChange>,
    /// The own models that the release declared, in order of declaration.
    pub models_declared: Vec<ModelName>,
    /// The own models that the release retired, in order of declaration.
    pub models_retired: Vec<ModelName>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReleasesPage {
    /// The releases, newest first.
    pub releases: Vec<RecentRelease>,
    /// The number below which the next page begins; `None` on the last page.
    pub next_before: Option<Generation>,
}

/// The change of one season of one market by a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonChange {
    pub model_type: ModelType,
    pub season: Season,
    /// The number of games after the release.
    pub games: usize,
    /// The increase in the number of games.
    pub games_added: i64,
    /// The increase in the number of decided games; negative if finals were withdrawn.
    pub decided_added: i64,
}

/// The most numbers that are searched for an entry below damage.
const SEARCHED: usize = 256;

impl RecentReleases {
    /// The number of releases listed by default.
    pub const LISTED: usize = 20;

    /// The maximum number of releases on a page.
    pub const MOST: usize = 100;

    /// Creates the queries over the current generations.
    pub const fn new(generations: Arc<CurrentGenerations>) -> Self {
        Self(generations)
    }

    /// Returns the current generation, which heads the list; `None` for a league without releases.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the first poll of the league's log.
    pub fn newest(&self, sport: Sport) -> Result<Option<Arc<LeagueGeneration>>, NotReadYet> {
        self.0.current(sport)
    }

    /// Returns a page of the releases from this generation backwards, newest first; only those below the number `before`, if
    /// there is one. A page ends early if the previous entry is missing or not part of the record; the next one goes on below.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be read.
    pub async fn up_to(
        &self,
        newest: &LeagueGeneration,
        before: Option<Generation>,
        limit: usize,
    ) -> Result<ReleasesPage, PortError> {
        let (log, sport) = (&**self.0.log(), newest.catalog().sport);
        let lowest = self.0.ledgers().of(sport).lowest().unwrap_or(Generation::FIRST);
        let mut recent = Vec::new();
        let mut next = match before.filter(|before| *before <= newest.catalog().generation) {
            None => Some(Arc::new(newest.entry.clone())),
            Some(before) => entry_below(log, sport, before, lowest).await?.map(Arc::new),
        };
        while let Some(entry) = next.take_if(|_| recent.len() < limit) {
            let before = entry_before(log, &entry.catalog).await?.map(Arc::new);
            let catalog_before = before.as_ref().map(|before| &before.catalog);
            let registry = self.new_registry(catalog_before, &entry.catalog).await?;
            recent.push(RecentRelease::after(catalog_before, entry, &registry));
            next = before;
        }
        let last = recent.last().map(|release: &RecentRelease| release.entry.catalog.generation);
        let next_before = last.filter(|last| lowest < *last);
        Ok(ReleasesPage { releases: recent, next_before })
    }

    /// Returns the release of an entry.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be read.
    pub async fn release(&self, sport: Sport, facts: &EntryFacts) -> Result<RecentRelease, PortError> {
        let entry = Arc::new(self.0.ledgers().of(sport).entry(facts).await?);
        let before = entry_before(&**self.0.log(), &entry.catalog).await?.map(|before| before.catalog);
        let registry = self.new_registry(before.as_ref(), &entry.catalog).await?;
        Ok(RecentRelease::after(before.as_ref(), entry, &registry))
    }

    /// Returns the ledgers of the log.
    pub(crate) fn ledgers(&self) -> &Ledgers {
        self.0.ledgers()
    }

    /// Returns the registry that a release changed; one without models for a release that changed none.
    async fn new_registry(&self, before: Option<&Catalog>, catalog: &Catalog) -> Result<Registry, PortError> {
        if before.and_then(|before| before.models.as_ref()) == catalog.models.as_ref() {
            return Ok(Registry::default());
        }
        self.0.slates().registry(catalog).await
    }
}

/// Returns the highest readable entry below a number.
async fn entry_below(
    log: &dyn PublicationLog,
    sport: Sport,
    number: Generation,
    lowest: Generation,
) -> Result<Option<LogEntry>, PortError> {
    let below = std::iter::successors(number.previous(), |number| Generation::previous(*number));
    for number in below.take_while(|number| *number >= lowest).take(SEARCHED) {
        match log.entry(sport, number).await {
            Ok(Some(entry)) => return Ok(Some(entry)),
            Ok(None) | Err(PortError::Corrupt { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

impl RecentRelease {
    fn after(before: Option<&Catalog>, entry: Arc<LogEntry>, registry: &Registry) -> Self {
        let catalog = &entry.catalog;
        let seasons = catalog.results.iter().filter(|(_, results)| results.artifact.release_id == catalog.release_id);
        let seasons = seasons.map(|((model_type, season), results)| {
            let known = before.and_then(|before| before.results.get(&(*model_type, *season)));
            let known = known.map(|results| results.coverage).unwrap_or_default();
            let coverage = results.coverage;
            SeasonChange {
                model_type: *model_type,
                season: *season,
                games: coverage.rows,
                games_added: added(known.rows, coverage.rows),
                decided_added: added(known.decided, coverage.decided),
            }
        });
        let predictions =
            catalog.predictions.iter().filter(|(_, entry)| entry.artifact.release_id == catalog.release_id);
        Self {
            odds: catalog.odds.as_ref().is_some_and(|odds| odds.release_id == catalog.release_id),
            predictions: predictions.map(|(model_type, _)| *model_type).collect(),
            seasons: seasons.collect(),
            models_declared: registry.declared_in(catalog.generation).collect(),
            models_retired: registry.retired_in(catalog.generation).collect(),
            entry,
        }
    }
}

fn added(before: usize, now: usize) -> i64 {
    i64::try_from(now).unwrap_or(i64::MAX) - i64::try_from(before).unwrap_or(i64::MAX)
}
