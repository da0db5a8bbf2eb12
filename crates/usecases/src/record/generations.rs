//! Polling of the publication log: determines the current generation of each league.

mod polls;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use chrono::{DateTime, Utc};
use futures::FutureExt;
use sports_domain::{ModelType, Sport};
use sports_ledger::{Beyond, Ledgers, NotLinked, is_simulated};
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::{Clock, PortError, error_chain};
use sports_publication::registry::{Registry, ShownTo};
use sports_publication::slate::SlateDates;
use sports_publication::{
    ArtifactRef, Catalog, ClockSource, Generation, LateWithdrawal, ModelsEntry, Odds, Predictions, RecordHead,
};
use tokio::sync::{Mutex, watch};

use super::default_models::{Defaults, LeagueDefaults, UndamagedSeasons};
use crate::league_markets::markets_of;
use crate::record::Slates;
use crate::unsettled::UnsettledGames;

pub use polls::{CurrentSeasons, PinnedSeasons, Preparation};

/// The error for a league whose log has not been read yet, so that nothing is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the publication log of {0} was not read yet")]
pub struct NotReadYet(pub Sport);

/// The current generation of every league. Readers never block: a request uses one whole generation.
pub struct CurrentGenerations {
    log: Arc<dyn PublicationLog>,
    ledgers: Arc<Ledgers>,
    slates: Slates,
    preparation: Arc<dyn Preparation>,
    clock: Arc<dyn Clock>,
    leagues: HashMap<Sport, League>,
    changes: Changes,
}

#[derive(Default)]
struct League {
    /// The generation for readers; empty until the log was read once.
    read: ArcSwapOption<LeagueSlot>,
    /// The state of polling; locked during a poll.
    polling: Mutex<Polling>,
    /// The outcome for health checks; empty until the first poll.
    condition: ArcSwapOption<PollOutcome>,
    /// The begin of the last poll that reached the store.
    polled: ArcSwapOption<PollStamp>,
    /// The begin of the last poll that ended.
    attempted: ArcSwapOption<PollStamp>,
    /// Held by the request that polls for others.
    on_demand: Mutex<()>,
}

/// The begin of a poll, by the date and by the uptime of the clock.
#[derive(Debug, Clone, Copy)]
struct PollStamp {
    date: DateTime<Utc>,
    uptime: Duration,
}

/// The current generation of a league that was read, with the seasons that it pins.
#[derive(Default)]
struct LeagueSlot {
    league: Option<Arc<LeagueGeneration>>,
    _pinned: PinnedSeasons,
}

/// One whole generation of a league, from which a request is answered.
#[derive(Debug, PartialEq)]
pub struct LeagueGeneration {
    /// The log entry of the generation.
    pub entry: LogEntry,
    /// The head of the tree after the entry; `None` before the tree.
    pub record_head: Option<RecordHead>,
    /// The odds that the entry names.
    pub odds: Option<Arc<Odds>>,
    /// The predictions that the entry names.
    pub predictions: BTreeMap<ModelType, Arc<Predictions>>,
    /// The declared models that the entry names.
    pub registry: Arc<Registry>,
    /// The markets that the league has.
    pub markets: BTreeSet<ModelType>,
    /// True if any entry of the record was published with a time set by hand.
    pub simulated: bool,
    /// The games of the live season without an ending.
    pub unsettled: UnsettledGames,
    /// The default models for subscribers, and for everyone.
    defaults: [LeagueDefaults; 2],
}

impl LeagueGeneration {
    /// Returns the catalog of the entry.
    pub const fn catalog(&self) -> &Catalog {
        &self.entry.catalog
    }

    /// Returns the default models as these readers see the league.
    pub const fn defaults(&self, shown_to: ShownTo) -> &LeagueDefaults {
        let [subscribers, everyone] = &self.defaults;
        match shown_to {
            ShownTo::Subscribers => subscribers,
            ShownTo::Everyone => everyone,
        }
    }

    /// Returns the predictions of a market if their object is the one in `named`.
    pub(super) fn known_predictions(&self, model_type: ModelType, named: &ArtifactRef) -> Option<Arc<Predictions>> {
        let current = &self.catalog().predictions.get(&model_type)?.artifact;
        self.predictions.get(&model_type).filter(|_| has_content_of(current, named)).cloned()
    }

    /// Returns the registry if the entry names the object in `named`.
    pub(super) fn known_registry(&self, named: Option<&ModelsEntry>) -> Option<Arc<Registry>> {
        (self.catalog().models.as_ref() == named).then(|| Arc::clone(&self.registry))
    }

    /// Returns the markets if they are those of another entry: it declares the same, and its slate dates are the same.
    fn known_markets(&self, entry: &Catalog, registry: &Registry) -> Option<BTreeSet<ModelType>> {
        let is_same = self.registry.league().markets == registry.league().markets
            && SlateDates::of(self.catalog()) == SlateDates::of(entry);
        is_same.then(|| self.markets.clone())
    }

    /// Returns the odds if their object is the one in `named`.
    pub(super) fn known_odds(&self, named: &ArtifactRef) -> Option<Arc<Odds>> {
        let current = self.catalog().odds.as_ref()?;
        self.odds.clone().filter(|_| has_content_of(current, named))
    }
}

/// Returns true if two artifacts are the same object with the same size.
fn has_content_of(artifact: &ArtifactRef, other: &ArtifactRef) -> bool {
    (artifact.object, artifact.bytes) == (other.object, other.bytes)
}

/// The maximum number of failing generations reported per league.
const MAX_REPORTED: usize = 8;

#[derive(Default)]
struct Polling {
    unreachable_since: Option<DateTime<Utc>>,
    /// The failing generations of the last poll.
    failing: Vec<FailingGeneration>,
}

#[derive(Debug, Clone)]
struct PollOutcome {
    unreachable_since: Option<DateTime<Utc>>,
    /// True if any poll so far reached the store.
    answered: bool,
    failing: Vec<FailingGeneration>,
}

impl CurrentGenerations {
    /// Creates the generations of `log`; all leagues are unread until the first [`Self::poll`].
    pub fn new(
        log: Arc<dyn PublicationLog>,
        slates: Slates,
        preparation: Arc<dyn Preparation>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let leagues = Sport::ALL.into_iter().map(|sport| (sport, League::default())).collect();
        let ledgers = Arc::new(Ledgers::new(&log));
        Self { log, ledgers, slates, preparation, clock, leagues, changes: Changes::default() }
    }

    /// The same generations, from these ledgers of the log.
    pub fn following(mut self, ledgers: Arc<Ledgers>) -> Self {
        self.ledgers = ledgers;
        self
    }

    /// Returns the current generation; `None` for a league without releases.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once.
    pub fn current(&self, sport: Sport) -> Result<Option<Arc<LeagueGeneration>>, NotReadYet> {
        self.leagues[&sport].read.load().as_ref().map(|slot| slot.league.clone()).ok_or(NotReadYet(sport))
    }

    /// Returns the number of changes of a league's current generation, or of all leagues'. A response from generations that
    /// were read after this call is current for as long as the number stays the same.
    pub fn changes(&self, sport: Option<Sport>) -> u64 {
        self.changes.so_far(sport)
    }

    /// Returns a receiver that is notified of each change of a league's current generation.
    pub fn watch(&self) -> watch::Receiver<()> {
        self.changes.made.subscribe()
    }

    /// Returns true if the record of any league read so far is simulated.
    pub fn has_simulated_records(&self) -> bool {
        let read = Sport::ALL.into_iter().filter_map(|sport| self.current(sport).ok().flatten());
        read.into_iter().any(|league| league.simulated)
    }

    /// Returns the leagues of which something is published or cannot be read; a league that was not read yet may be one.
    pub fn published_leagues(&self) -> Vec<Sport> {
        Sport::ALL.into_iter().filter(|sport| !matches!(self.current(*sport), Ok(None))).collect()
    }

    /// Returns the source of the objects that entries name.
    pub(crate) const fn slates(&self) -> &Slates {
        &self.slates
    }

    /// Returns the ledgers of the log.
    pub const fn ledgers(&self) -> &Arc<Ledgers> {
        &self.ledgers
    }

    /// Returns the log that is polled.
    pub(crate) const fn log(&self) -> &Arc<dyn PublicationLog> {
        &self.log
    }

    /// Begins to read the facts of older entries of all leagues, as far as they are not in memory.
    pub fn read_older(&self) {
        for sport in Sport::ALL {
            self.ledgers.of(sport).read_on();
        }
    }

    /// Polls the logs of all leagues for newer generations.
    pub async fn poll(&self) {
        // A stalled log of one league does not delay the others.
        futures::future::join_all(Sport::ALL.map(|sport| self.poll_league(sport))).await;
    }

    /// Polls the log of one league and makes the newest loadable generation current.
    pub async fn poll_league(&self, sport: Sport) {
        let league = &self.leagues[&sport];
        let mut polling = league.polling.lock().await;
        let stamp = Arc::new(PollStamp { date: self.clock.now(), uptime: self.clock.uptime() });
        let polled = self.advance(sport, &mut polling).await;
        let before = league.condition.load_full();
        let answered = polled.is_ok() || before.as_ref().is_some_and(|before| before.answered);
        match polled {
            Ok(()) => {
                polling.unreachable_since = None;
                league.polled.store(Some(Arc::clone(&stamp)));
            }
            Err(error) => {
                if polling.unreachable_since.is_none() {
                    tracing::warn!(%sport, error = error_chain(&error), "the store does not answer");
                    polling.unreachable_since = Some(self.clock.now());
                }
            }
        }
        let failing: Vec<_> = polling.failing.iter().take(MAX_REPORTED).cloned().collect();
        let known = before.as_ref().map_or(&[][..], |before| &before.failing);
        for failing in failing.iter().filter(|failing| !known.contains(failing)) {
            tracing::error!(%sport, generation = failing.generation.get(), reason = failing.reason, "a generation cannot be served");
        }
        let condition = PollOutcome { unreachable_since: polling.unreachable_since, answered, failing };
        league.condition.store(Some(Arc::new(condition)));
        league.attempted.store(Some(stamp));
    }

    /// Returns the status of polling.
    pub fn status(&self) -> StoreStatus {
        let of = |sport: &Sport| self.leagues[sport].condition.load_full();
        let polled: Vec<_> = Sport::ALL.iter().filter_map(|sport| Some((*sport, of(sport)?))).collect();
        let is_unserved =
            |condition: &PollOutcome| condition.unreachable_since.is_none() && !condition.failing.is_empty();
        let unserved =
            polled.iter().filter(|(sport, condition)| self.current(*sport).is_err() && is_unserved(condition));
        let unreachable = polled.iter().filter(|(_, condition)| condition.unreachable_since.is_some());
        StoreStatus {
            first_look: polled.len() == Sport::ALL.len() && polled.iter().any(|(_, condition)| condition.answered),
            unreachable_since: polled.iter().filter_map(|(_, condition)| condition.unreachable_since).min(),
            unreachable: unreachable.map(|(sport, _)| *sport).collect(),
            unserved: unserved.map(|(sport, _)| *sport).collect(),
            failing: polled.iter().flat_map(|(_, condition)| condition.failing.clone()).collect(),
        }
    }

    /// Loads the content that an entry names; the inner error is the reason for which it cannot be served.
    async fn load(&self, sport: Sport, entry: LogEntry) -> Result<Result<LeagueSlot, String>, PortError> {
        let opened = async {
            if let Some(late) = self.late_withdrawal(&entry.catalog).await? {
                return Ok(Err(format!("it withdraws the forecast of a game that had started: {late}")));
            }
            let pinned = self.preparation.prepare(&entry.catalog).await?;
            let unsettled = self.preparation.unsettled(&entry.catalog).await?;
            let league = Some(Arc::new(self.open(sport, entry, unsettled).await?));
            Ok(Ok(LeagueSlot { league, _pinned: pinned }))
        };
        // A partial result is dropped, so unwinding is safe. A generation whose loading panics must not stop the
        // polling.
        match AssertUnwindSafe(opened).catch_unwind().await {
            Ok(Ok(opened)) => Ok(opened),
            Ok(Err(error @ PortError::Corrupt { .. })) => Ok(Err(error_chain(&error))),
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(Err("loading it panicked; the panic is in the log".to_owned())),
        }
    }

    /// Returns a forecast that an entry withdraws although its game had started.
    async fn late_withdrawal(&self, entry: &Catalog) -> Result<Option<LateWithdrawal>, PortError> {
        let Some(tree) = &entry.tree else { return Ok(None) };
        let leaves = self.slates.leaves(entry.sport, &tree.leaves).await?;
        Ok(leaves.late_withdrawals().into_iter().next())
    }

    /// Reads the slate that an entry names; reuses unchanged parts of the current generation.
    async fn open(
        &self,
        sport: Sport,
        entry: LogEntry,
        unsettled: UnsettledGames,
    ) -> Result<LeagueGeneration, PortError> {
        let current = self.current(sport).ok().flatten();
        let mut predictions = BTreeMap::new();
        for (model_type, named) in &entry.catalog.predictions {
            let known = current.as_ref().and_then(|league| league.known_predictions(*model_type, &named.artifact));
            let read = match known {
                Some(known) => known,
                None => Arc::new(self.slates.predictions(sport, &named.artifact).await?),
            };
            predictions.insert(*model_type, read);
        }
        let simulated = match &current {
            Some(league) => league.simulated || entry.catalog.clock == ClockSource::Set,
            None => is_simulated(&*self.log, &entry.catalog).await?,
        };
        let known = current.as_ref().and_then(|league| league.known_registry(entry.catalog.models.as_ref()));
        let registry = match known {
            Some(known) => known,
            None => Arc::new(self.slates.registry(&entry.catalog).await?),
        };
        let known = current.as_ref().and_then(|league| league.known_markets(&entry.catalog, &registry));
        let markets = match known {
            Some(known) => known,
            None => markets_of(&*self.log, &entry.catalog, registry.league()).await?,
        };
        let odds = match &entry.catalog.odds {
            None => None,
            Some(named) => match current.and_then(|league| league.known_odds(named)) {
                Some(known) => Some(known),
                None => Some(Arc::new(self.slates.odds(sport, named).await?)),
            },
        };
        let seasons = UndamagedSeasons(&*self.preparation);
        let of = |shown_to| Defaults { catalog: &entry.catalog, registry: &registry, shown_to };
        let subscribers = of(ShownTo::Subscribers).of_league(&predictions, &seasons).await?;
        // Without hidden models everybody sees the same, and no season is looked through twice.
        let everyone = if registry.hidden().next().is_none() {
            subscribers.clone()
        } else {
            of(ShownTo::Everyone).of_league(&predictions, &seasons).await?
        };
        let defaults = [subscribers, everyone];
        let record_head = RecordHead::of(&entry.catalog);
        Ok(LeagueGeneration {
            entry,
            record_head,
            odds,
            predictions,
            registry,
            markets,
            simulated,
            unsettled,
            defaults,
        })
    }

    fn make_current(&self, sport: Sport, slot: LeagueSlot) {
        if let Some(catalog) = slot.league.as_deref().map(LeagueGeneration::catalog) {
            tracing::info!(%sport, generation = catalog.generation.get(), release_id = %catalog.release_id, "a generation is current");
        }
        self.leagues[&sport].read.store(Some(Arc::new(slot)));
        self.changes.count(sport);
    }

    /// Returns the time since which the store has been unreachable for a league; `None` while it is reachable.
    pub fn unreachable_since(&self, sport: Sport) -> Option<DateTime<Utc>> {
        self.leagues[&sport].condition.load_full().and_then(|condition| condition.unreachable_since)
    }
}

/// The number of changes of each league's current generation.
#[derive(Default)]
struct Changes {
    numbers: [AtomicU64; Sport::ALL.len()],
    made: watch::Sender<()>,
}

impl Changes {
    /// Counts a change of a league, and notifies who waits for it.
    fn count(&self, sport: Sport) {
        self.numbers[sport as usize].fetch_add(1, Ordering::Release);
        self.made.send_replace(());
    }

    /// Returns the number of changes of a league, or of all leagues.
    fn so_far(&self, sport: Option<Sport>) -> u64 {
        let number = |count: &AtomicU64| count.load(Ordering::Acquire);
        sport.map_or_else(|| self.numbers.iter().map(number).sum(), |sport| number(&self.numbers[sport as usize]))
    }
}

/// A number of the log above the current generation that cannot become current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingGeneration {
    pub sport: Sport,
    pub generation: Generation,
    pub kind: FailureKind,
    /// The reason, for the operator.
    pub reason: String,
}

/// The kind of failure of a number of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// The entry cannot be read, or its content cannot be loaded.
    Unloadable,
    /// The entry continues no entry of the record.
    Unlinked,
}

/// The status of log polling.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// True if every league's log was polled and at least one poll reached the store.
    pub first_look: bool,
    /// The time since which the store has been unreachable; `None` while it is reachable.
    pub unreachable_since: Option<DateTime<Utc>>,
    /// The leagues whose logs cannot be read.
    pub unreachable: Vec<Sport>,
    /// The leagues whose logs have entries, none of which can be served.
    pub unserved: Vec<Sport>,
    /// The numbers above the current generations that cannot become current, at most eight per league.
    pub failing: Vec<FailingGeneration>,
}

impl FailingGeneration {
    fn unloadable(sport: Sport, generation: Generation, reason: String) -> Self {
        Self { sport, generation, kind: FailureKind::Unloadable, reason }
    }

    fn unlinked(sport: Sport, generation: Generation) -> Self {
        let reason = "it does not continue the record".to_owned();
        Self { sport, generation, kind: FailureKind::Unlinked, reason }
    }

    fn beyond(sport: Sport, beyond: &Beyond) -> Self {
        match &beyond.reason {
            NotLinked::Unreadable(error) => Self::unloadable(sport, beyond.generation, error_chain(&**error)),
            NotLinked::Unlinked { .. } => Self::unlinked(sport, beyond.generation),
        }
    }
}
