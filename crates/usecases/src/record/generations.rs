//! Following the publication log: which generation of each league is current.

mod changes;
mod last_entry;
mod looks;
mod preparation;
mod status;

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use chrono::{DateTime, Utc};
use futures::FutureExt;
use sports_domain::{ModelType, Sport};
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::{Clock, PortError, in_one_line};
use sports_publication::{ArtifactRef, Catalog, ClockSource, Generation, Odds, Predictions};
use tokio::sync::Mutex;

use crate::record::{Slates, is_simulated};
use crate::unsettled::UnsettledGames;

use changes::Counted;

pub use changes::Changes;
pub use preparation::{CurrentSeasons, Preparation};
pub use status::{FailingGeneration, StoreStatus, Trouble};

/// The log of this league was not read yet: nothing can be said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the publication log of {0} was not read yet")]
pub struct NotReadYet(pub Sport);

/// The current generation of every league. Readers never wait: a request takes one generation, whole.
pub struct CurrentGenerations {
    log: Arc<dyn PublicationLog>,
    slates: Slates,
    preparation: Arc<dyn Preparation>,
    clock: Arc<dyn Clock>,
    leagues: HashMap<Sport, League>,
    changes: Counted,
}

#[derive(Default)]
struct League {
    /// What readers see; empty until the log was read once.
    read: ArcSwapOption<LeagueSlot>,
    /// What polling knows; held while one poll is under way.
    polling: Mutex<Polling>,
    /// What health sees; empty until the first look.
    condition: ArcSwapOption<PollOutcome>,
}

struct LeagueSlot(Option<Arc<LeagueGeneration>>);

/// One generation of a league, whole: what a request answers from.
#[derive(Debug, PartialEq)]
pub struct LeagueGeneration {
    /// The entry of the log.
    pub entry: LogEntry,
    /// The odds it names.
    pub odds: Option<Arc<Odds>>,
    /// The predictions it names.
    pub predictions: BTreeMap<ModelType, Arc<Predictions>>,
    /// Whether the record has entries that were published at a time set by hand.
    pub simulated: bool,
    /// The games of the live season that have no ending yet.
    pub unsettled: UnsettledGames,
}

impl LeagueGeneration {
    /// What the entry says.
    #[must_use]
    pub const fn catalog(&self) -> &Catalog {
        &self.entry.catalog
    }

    /// One market's predictions, if they are what `named` names.
    fn known_predictions(&self, model_type: ModelType, named: &ArtifactRef) -> Option<Arc<Predictions>> {
        let current = &self.catalog().predictions.get(&model_type)?.artifact;
        self.predictions.get(&model_type).filter(|_| has_content_of(current, named)).cloned()
    }

    /// The odds, if they are what `named` names.
    fn known_odds(&self, named: &ArtifactRef) -> Option<Arc<Odds>> {
        let current = self.catalog().odds.as_ref()?;
        self.odds.clone().filter(|_| has_content_of(current, named))
    }
}

/// Tells whether two artifacts are the same object, of the same size.
fn has_content_of(artifact: &ArtifactRef, other: &ArtifactRef) -> bool {
    (artifact.object, artifact.bytes) == (other.object, other.bytes)
}

/// How many numbers in trouble are named for a league.
const NAMED: usize = 8;

#[derive(Default)]
struct Polling {
    unreachable_since: Option<DateTime<Utc>>,
    /// What the head was found to lack when the log was first read: it stays so.
    rootless: Option<FailingGeneration>,
    /// What was in trouble at the last look around.
    failing: Vec<FailingGeneration>,
    /// When the log was listed, by the clock's uptime.
    listed_at: Option<Duration>,
    /// Where the next look goes on, as the last one did not come to the end.
    go_on: Option<Generation>,
}

#[derive(Debug, Clone)]
struct PollOutcome {
    unreachable_since: Option<DateTime<Utc>>,
    /// Whether the store answered at any look so far.
    answered: bool,
    failing: Vec<FailingGeneration>,
}

impl CurrentGenerations {
    /// Follows `log`; no generation is current until the first [`Self::poll`].
    #[must_use]
    pub fn new(
        log: Arc<dyn PublicationLog>,
        slates: Slates,
        preparation: Arc<dyn Preparation>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let leagues = Sport::ALL.into_iter().map(|sport| (sport, League::default())).collect();
        Self { log, slates, preparation, clock, leagues, changes: Counted::default() }
    }

    /// The current generation; `None` for a league never published.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once: that is no answer, not an empty one.
    pub fn current(&self, sport: Sport) -> Result<Option<Arc<LeagueGeneration>>, NotReadYet> {
        self.leagues[&sport].read.load().as_ref().map(|slot| slot.0.clone()).ok_or(NotReadYet(sport))
    }

    /// How often the current generation of each league has changed. An answer from generations that were read after this
    /// holds for as long as those leagues' counts stay the same.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.changes.so_far()
    }

    /// Whether any league's record is simulated, as far as the logs were read.
    #[must_use]
    pub fn has_simulated_records(&self) -> bool {
        let read = Sport::ALL.into_iter().filter_map(|sport| self.current(sport).ok().flatten());
        read.into_iter().any(|league| league.simulated)
    }

    /// The log that is followed.
    pub(crate) fn log(&self) -> &dyn PublicationLog {
        &*self.log
    }

    /// Looks for newer generations of every league.
    pub async fn poll(&self) {
        // One league's log that hangs does not hold the others up.
        futures::future::join_all(Sport::ALL.map(|sport| self.poll_league(sport))).await;
    }

    /// Looks for newer generations of one league and makes the newest that loads current.
    pub async fn poll_league(&self, sport: Sport) {
        let league = &self.leagues[&sport];
        let mut polling = league.polling.lock().await;
        let looked = match self.current(sport) {
            Ok(Some(current)) => self.follow(sport, current, &mut polling).await,
            Ok(None) | Err(NotReadYet(_)) => self.discover(sport, &mut polling).await,
        };
        let before = league.condition.load_full();
        let answered = looked.is_ok() || before.as_ref().is_some_and(|before| before.answered);
        match looked {
            Ok(()) => polling.unreachable_since = None,
            Err(error) => {
                if polling.unreachable_since.is_none() {
                    tracing::warn!(%sport, error = in_one_line(&error), "the store does not answer");
                    polling.unreachable_since = Some(self.clock.now());
                }
            }
        }
        let failing: Vec<_> = polling.rootless.iter().chain(&polling.failing).take(NAMED).cloned().collect();
        let known = before.as_ref().map_or(&[][..], |before| &before.failing);
        for failing in failing.iter().filter(|failing| !known.contains(failing)) {
            tracing::error!(%sport, generation = failing.generation.get(), reason = failing.reason, "a generation cannot be served");
        }
        let condition = PollOutcome { unreachable_since: polling.unreachable_since, answered, failing };
        league.condition.store(Some(Arc::new(condition)));
    }

    /// How following the log goes.
    #[must_use]
    pub fn status(&self) -> StoreStatus {
        let of = |sport: &Sport| self.leagues[sport].condition.load_full();
        let looked: Vec<_> = Sport::ALL.iter().filter_map(|sport| Some((*sport, of(sport)?))).collect();
        let is_unserved =
            |condition: &PollOutcome| condition.unreachable_since.is_none() && !condition.failing.is_empty();
        let unserved =
            looked.iter().filter(|(sport, condition)| self.current(*sport).is_err() && is_unserved(condition));
        let unreachable = looked.iter().filter(|(_, condition)| condition.unreachable_since.is_some());
        StoreStatus {
            first_look: looked.len() == Sport::ALL.len() && looked.iter().any(|(_, condition)| condition.answered),
            unreachable_since: looked.iter().filter_map(|(_, condition)| condition.unreachable_since).min(),
            unreachable: unreachable.map(|(sport, _)| *sport).collect(),
            unserved: unserved.map(|(sport, _)| *sport).collect(),
            failing: looked.iter().flat_map(|(_, condition)| condition.failing.clone()).collect(),
        }
    }

    /// Loads what an entry names, or says why that cannot be.
    async fn load(&self, sport: Sport, entry: LogEntry) -> Result<Result<Arc<LeagueGeneration>, String>, PortError> {
        let opened = async {
            let unsettled = self.preparation.prepare(&entry.catalog).await?;
            self.open(sport, entry, unsettled).await
        };
        // Nothing half-done is seen again; and a generation that makes the program panic must not end the following.
        match AssertUnwindSafe(opened).catch_unwind().await {
            Ok(Ok(league)) => Ok(Ok(Arc::new(league))),
            Ok(Err(error @ PortError::Corrupt { .. })) => Ok(Err(in_one_line(&error))),
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(Err("loading it panicked; the panic is in the log".to_owned())),
        }
    }

    /// Reads the slate an entry names; what the current generation has already is taken over as it is.
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
        let odds = match &entry.catalog.odds {
            None => None,
            Some(named) => match current.and_then(|league| league.known_odds(named)) {
                Some(known) => Some(known),
                None => Some(Arc::new(self.slates.odds(sport, named).await?)),
            },
        };
        Ok(LeagueGeneration { entry, odds, predictions, simulated, unsettled })
    }

    fn make_current(&self, sport: Sport, league: Arc<LeagueGeneration>) {
        let catalog = league.catalog();
        tracing::info!(%sport, generation = catalog.generation.get(), release_id = %catalog.release_id, "a generation is current");
        self.leagues[&sport].read.store(Some(Arc::new(LeagueSlot(Some(league)))));
        self.changes.count(sport);
    }

    /// Since when the store has not answered for a league; `None` while it does.
    #[must_use]
    pub fn unreachable_since(&self, sport: Sport) -> Option<DateTime<Utc>> {
        self.leagues[&sport].condition.load_full().and_then(|condition| condition.unreachable_since)
    }
}

impl Polling {
    /// Notes a number in trouble, as far as they are named.
    fn fails(&mut self, failing: FailingGeneration) {
        if self.failing.len() < NAMED && !self.failing.contains(&failing) {
            self.failing.push(failing);
        }
    }
}
