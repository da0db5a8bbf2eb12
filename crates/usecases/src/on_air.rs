//! Following the publication log: which generation of each league is on air.

mod preparation;

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use chrono::{DateTime, Utc};
use futures::FutureExt;
use sports_domain::{ModelType, Sport};
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::{Clock, PortError, in_one_line};
use sports_publication::{ArtifactRef, Catalog, ClockSource, Generation, ObjectHash, Odds, Predictions};
use tokio::sync::Mutex;

use crate::chain::{continues_the_log, is_simulated};
use crate::slates::Slates;
use crate::unsettled::UnsettledGames;

pub use preparation::{CurrentSeasons, LoadedSeason, Preparation};

/// A generation that stands in the log and could not go on air.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingGeneration {
    /// The league.
    pub sport: Sport,
    /// Its number.
    pub generation: Generation,
    /// Why, for the operator.
    pub reason: String,
}

/// How following the log goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// Whether every league's log was read at least once.
    pub first_read: bool,
    /// Since when the store has not answered; `None` while it does.
    pub unreachable_since: Option<DateTime<Utc>>,
    /// Generations newer than those on air that cannot be loaded.
    pub failing: Vec<FailingGeneration>,
}

/// The log of this league was not read yet: nothing can be said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the publication log of {0} was not read yet")]
pub struct NotReadYet(pub Sport);

/// What is on air for every league. Readers never wait: a request takes one generation, whole.
pub struct OnAir {
    log: Arc<dyn PublicationLog>,
    slates: Slates,
    preparation: Arc<dyn Preparation>,
    clock: Arc<dyn Clock>,
    leagues: HashMap<Sport, League>,
}

#[derive(Default)]
struct League {
    /// What readers see; empty until the log was read once.
    read: ArcSwapOption<LeagueAir>,
    /// What polling knows; held while one poll is under way.
    polling: Mutex<Polling>,
    /// What health sees.
    trouble: ArcSwapOption<Trouble>,
}

struct LeagueAir(Option<Arc<LeagueOnAir>>);

/// One generation of a league, whole: what a request answers from.
#[derive(Debug, PartialEq)]
pub struct LeagueOnAir {
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

impl LeagueOnAir {
    /// What the entry says.
    #[must_use]
    pub const fn catalog(&self) -> &Catalog {
        &self.entry.catalog
    }

    /// One market's predictions, if they are what `named` names.
    fn known_predictions(&self, model_type: ModelType, named: &ArtifactRef) -> Option<Arc<Predictions>> {
        let on_air = &self.catalog().predictions.get(&model_type)?.artifact;
        self.predictions.get(&model_type).filter(|_| on_air.object == named.object).cloned()
    }

    /// The odds, if they are what `named` names.
    fn known_odds(&self, named: &ArtifactRef) -> Option<Arc<Odds>> {
        let on_air = self.catalog().odds.as_ref()?;
        self.odds.clone().filter(|_| on_air.object == named.object)
    }
}

#[derive(Default)]
struct Polling {
    unreachable_since: Option<DateTime<Utc>>,
    /// What was found altered when the log was first read: it stays so.
    altered: Option<FailingGeneration>,
}

#[derive(Debug, Clone)]
struct Trouble {
    unreachable_since: Option<DateTime<Utc>>,
    failing: Option<FailingGeneration>,
}

impl OnAir {
    /// Follows `log`; nothing is on air until the first [`Self::poll`].
    #[must_use]
    pub fn new(
        log: Arc<dyn PublicationLog>,
        slates: Slates,
        preparation: Arc<dyn Preparation>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let leagues = Sport::ALL.into_iter().map(|sport| (sport, League::default())).collect();
        Self { log, slates, preparation, clock, leagues }
    }

    /// The generation on air; `None` for a league never published.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once: that is no answer, not an empty one.
    pub fn current(&self, sport: Sport) -> Result<Option<Arc<LeagueOnAir>>, NotReadYet> {
        self.leagues[&sport].read.load().as_ref().map(|air| air.0.clone()).ok_or(NotReadYet(sport))
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

    /// Looks for newer generations of one league and puts the newest that loads on air.
    pub async fn poll_league(&self, sport: Sport) {
        let league = &self.leagues[&sport];
        let mut polling = league.polling.lock().await;
        let (looked, failing) = match self.current(sport) {
            Ok(Some(on_air)) => self.follow(sport, &on_air).await,
            Ok(None) | Err(NotReadYet(_)) => self.discover(sport, &mut polling.altered).await,
        };
        let failing = failing.or_else(|| polling.altered.clone());
        match looked {
            Ok(()) => polling.unreachable_since = None,
            Err(error) => {
                if polling.unreachable_since.is_none() {
                    tracing::warn!(%sport, error = in_one_line(&error), "the store does not answer");
                    polling.unreachable_since = Some(self.clock.now());
                }
            }
        }
        let before = league.trouble.load_full().and_then(|trouble| trouble.failing.clone());
        if let Some(failing) = failing.as_ref().filter(|failing| before.as_ref() != Some(failing)) {
            tracing::error!(%sport, generation = failing.generation.get(), reason = failing.reason, "a generation cannot go on air");
        }
        let trouble = Trouble { unreachable_since: polling.unreachable_since, failing };
        league.trouble.store(Some(Arc::new(trouble)));
    }

    /// How following the log goes.
    #[must_use]
    pub fn status(&self) -> StoreStatus {
        let troubles: Vec<_> = Sport::ALL.iter().filter_map(|sport| self.leagues[sport].trouble.load_full()).collect();
        StoreStatus {
            first_read: Sport::ALL.into_iter().all(|sport| self.current(sport).is_ok()),
            unreachable_since: troubles.iter().filter_map(|trouble| trouble.unreachable_since).min(),
            failing: troubles.iter().filter_map(|trouble| trouble.failing.clone()).collect(),
        }
    }

    /// Finds the newest generation that loads, from the head backwards. Which of two entries that do
    /// not fit together was altered cannot be told; the newest is served, and health says so.
    async fn discover(&self, sport: Sport, altered: &mut Option<FailingGeneration>) -> Looked {
        let newest = match self.log.newest(sport).await {
            Ok(newest) => newest,
            Err(error) => return (Err(error), None),
        };
        let mut failing = None;
        for generation in (1..=newest.map_or(0, Generation::get)).rev().filter_map(Generation::new) {
            match self.load(sport, generation).await {
                Ok(Loaded::Ready(league)) => {
                    match continues_the_log(&*self.log, &league.entry).await {
                        Ok(true) => *altered = None,
                        Ok(false) => *altered = Some(broken_link(sport, generation)),
                        Err(error) => return (Err(error), failing),
                    }
                    self.put_on_air(sport, league);
                    return (Ok(()), failing);
                }
                Ok(Loaded::Absent) => {}
                Ok(Loaded::Broken { reason, .. }) => {
                    failing.get_or_insert(FailingGeneration { sport, generation, reason });
                }
                Err(error) => return (Err(error), failing),
            }
        }
        // Entries that all fail are no empty log: the league stays unread.
        if failing.is_none() {
            self.leagues[&sport].read.store(Some(Arc::new(LeagueAir(None))));
        }
        (Ok(()), failing)
    }

    /// Asks for the generations after the one on air until there are none.
    async fn follow(&self, sport: Sport, on_air: &LeagueOnAir) -> Looked {
        let mut failing = None;
        let mut generation = on_air.catalog().generation.next();
        let mut before = Some(on_air.entry.digest);
        loop {
            match self.load(sport, generation).await {
                Ok(Loaded::Absent) => return (Ok(()), failing),
                Ok(Loaded::Ready(league)) if continues(&league.entry, before) => {
                    before = Some(league.entry.digest);
                    self.put_on_air(sport, league);
                    failing = None;
                }
                Ok(Loaded::Ready(_)) => {
                    // History was rewritten under us: neither this entry nor what follows it is trusted.
                    return (Ok(()), Some(broken_link(sport, generation)));
                }
                Ok(Loaded::Broken { reason, digest }) => {
                    before = digest;
                    failing = Some(FailingGeneration { sport, generation, reason });
                }
                Err(error) => return (Err(error), failing),
            }
            generation = generation.next();
        }
    }

    async fn load(&self, sport: Sport, generation: Generation) -> Result<Loaded, PortError> {
        let entry = match self.log.entry(sport, generation).await {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(Loaded::Absent),
            Err(error @ PortError::Corrupt { .. }) => {
                return Ok(Loaded::Broken { reason: in_one_line(&error), digest: None });
            }
            Err(error) => return Err(error),
        };
        let digest = entry.digest;
        let opened = async {
            let unsettled = self.preparation.prepare(&entry.catalog).await?;
            self.open(sport, entry, unsettled).await
        };
        let broken = |reason| Ok(Loaded::Broken { reason, digest: Some(digest) });
        // Nothing half-done is seen again; and a generation that trips us must not end the following.
        match AssertUnwindSafe(opened).catch_unwind().await {
            Ok(Ok(league)) => Ok(Loaded::Ready(Arc::new(league))),
            Ok(Err(error @ PortError::Corrupt { .. })) => broken(in_one_line(&error)),
            Ok(Err(error)) => Err(error),
            Err(_) => broken("loading it panicked; the panic is in the log".to_owned()),
        }
    }

    /// Reads the slate an entry names; what is on air already is taken over as it is.
    async fn open(&self, sport: Sport, entry: LogEntry, unsettled: UnsettledGames) -> Result<LeagueOnAir, PortError> {
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
        Ok(LeagueOnAir { entry, odds, predictions, simulated, unsettled })
    }

    fn put_on_air(&self, sport: Sport, league: Arc<LeagueOnAir>) {
        let catalog = league.catalog();
        tracing::info!(%sport, generation = catalog.generation.get(), release_id = %catalog.release_id, "on air");
        self.leagues[&sport].read.store(Some(Arc::new(LeagueAir(Some(league)))));
    }

    /// Since when the store has not answered for a league; `None` while it does.
    #[must_use]
    pub fn unreachable_since(&self, sport: Sport) -> Option<DateTime<Utc>> {
        self.leagues[&sport].trouble.load_full().and_then(|trouble| trouble.unreachable_since)
    }
}

/// Whether the log could be asked, and what stands in it that cannot go on air.
type Looked = (Result<(), PortError>, Option<FailingGeneration>);

enum Loaded {
    Ready(Arc<LeagueOnAir>),
    Absent,
    Broken { reason: String, digest: Option<ObjectHash> },
}

fn broken_link(sport: Sport, generation: Generation) -> FailingGeneration {
    FailingGeneration { sport, generation, reason: "it does not continue the entry before it".to_owned() }
}

/// Whether an entry names the one before it, where that one's hash is known.
fn continues(entry: &LogEntry, before: Option<ObjectHash>) -> bool {
    before.is_none_or(|before| entry.catalog.previous == Some(before))
}
