//! Polls of one league's log: the newest entry of its ledger that can be loaded becomes current.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::{Market, ModelName, ModelType, Season, Sport};
use sports_ledger::{EntryFacts, Link, Newest};
use sports_ports::publication::LogEntry;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews};
use sports_ports::{PortError, error_chain};
use sports_publication::{Catalog, Generation, ResultsEntry};

use super::{CurrentGenerations, FailingGeneration, Polling};
use crate::record::default_models::ForecastSeasons;
use crate::record::off_thread;
use crate::unsettled::UnsettledGames;

/// The most entries of which one poll tries to make one current.
const AT_ONCE: usize = 256;

impl CurrentGenerations {
    /// Follows the log of a league, and makes its newest loadable entry current.
    pub(super) async fn advance(&self, sport: Sport, polling: &mut Polling) -> Result<(), PortError> {
        let ledger = self.ledgers.of(sport);
        ledger.poll(Some(self.clock.uptime())).await?;
        let beyond = ledger.beyond();
        polling.failing = beyond.iter().map(|beyond| FailingGeneration::beyond(sport, beyond)).collect();
        match ledger.newest() {
            Some(newest) => self.make_newest_current(sport, newest, polling).await?,
            // A log with numbers is not empty, so the league stays unread.
            None if beyond.is_empty() => self.leagues[&sport].read.store(Some(Arc::default())),
            None => {}
        }
        polling.failing.sort_by_key(|failing| failing.generation);
        Ok(())
    }

    /// Makes the newest loadable entry above the current one current.
    async fn make_newest_current(
        &self,
        sport: Sport,
        Newest { entry, link }: Newest,
        polling: &mut Polling,
    ) -> Result<(), PortError> {
        let current = self.current(sport).ok().flatten().map(|league| league.catalog().generation);
        let rootless = matches!(link, Link::Rootless);
        polling.failing.extend(rootless.then(|| FailingGeneration::unlinked(sport, entry.catalog.generation)));
        let mut next = Some(Arc::unwrap_or_clone(entry));
        for _ in 0..AT_ONCE {
            let Some(entry) = next.filter(|entry| Some(entry.catalog.generation) > current) else { break };
            let facts = EntryFacts::from(&entry);
            match self.load(sport, entry).await? {
                Ok(slot) => {
                    self.make_current(sport, slot);
                    break;
                }
                Err(reason) => {
                    polling.failing.push(FailingGeneration::unloadable(sport, facts.generation, reason));
                    next = self.entry_below(sport, &facts, polling).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns the entry that an entry continues, or the next one below damage.
    async fn entry_below(
        &self,
        sport: Sport,
        above: &EntryFacts,
        polling: &mut Polling,
    ) -> Result<Option<LogEntry>, PortError> {
        let numbers = std::iter::successors(above.generation.previous(), |number| Generation::previous(*number));
        for number in numbers.take(AT_ONCE) {
            match self.log.entry(sport, number).await {
                Ok(Some(entry)) => {
                    let facts = EntryFacts::from(&entry);
                    let is_right_below = facts.generation.next() == above.generation;
                    if above.continues(&facts) || !is_right_below && facts.published_at < above.published_at {
                        return Ok(Some(entry));
                    }
                    polling.failing.push(FailingGeneration::unlinked(sport, above.generation));
                    return Ok(None);
                }
                Ok(None) => {}
                Err(error @ PortError::Corrupt { .. }) => {
                    polling.failing.push(FailingGeneration::unloadable(sport, number, error_chain(&error)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

// Polls on request, for answers that depend on the newest entry of a log.

/// The shortest interval between two polls on request.
const INTERVAL: Duration = Duration::from_millis(100);

impl CurrentGenerations {
    /// Returns true if a league's log was polled after an instant.
    pub(crate) fn polled_after(&self, sport: Sport, instant: DateTime<Utc>) -> bool {
        self.leagues[&sport].polled.load().as_ref().is_some_and(|stamp| stamp.date > instant)
    }

    /// Polls a league's log, unless it was polled since the uptime `arrived`. Requests that arrive together share one poll,
    /// and there are at most ten polls a second.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store does not answer.
    pub(crate) async fn poll_on_demand(&self, sport: Sport, arrived: Duration) -> Result<(), PortError> {
        let league = &self.leagues[&sport];
        let is_done = || league.attempted.load().as_ref().is_some_and(|stamp| stamp.uptime > arrived);
        let _polling = league.on_demand.lock().await;
        if !is_done() {
            let since = league.attempted.load().as_ref().map(|stamp| self.clock.uptime().saturating_sub(stamp.uptime));
            if let Some(rest) = since.and_then(|since| INTERVAL.checked_sub(since)) {
                tokio::time::sleep(rest).await;
            }
            self.poll_league(sport).await;
        }
        match self.unreachable_since(sport) {
            None => Ok(()),
            Some(since) => Err(PortError::unavailable("the publication log", format!("unreachable since {since}"))),
        }
    }
}

/// Work that must be done before a generation is served.
#[async_trait]
pub trait Preparation: ForecastSeasons {
    /// Loads the seasons of a catalog that stay in memory while its generation is current.
    async fn prepare(&self, catalog: &Catalog) -> Result<PinnedSeasons, PortError>;

    /// Returns the games of a catalog's live season without an ending.
    async fn unsettled(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError>;
}

/// Seasons that stay in memory as long as this is held, whatever caches evict.
#[derive(Default)]
pub struct PinnedSeasons(Vec<Arc<dyn LoadedSeason>>);

/// Loads every market's current season and the one in which today's predictions are recorded, so that the first
/// request after a publication is as fast as later ones.
pub struct CurrentSeasons<V> {
    views: Arc<dyn SeasonViews<V>>,
    /// The models of seasons that were opened for them.
    models: Mutex<HashMap<SeasonRef, Arc<BTreeSet<ModelName>>>>,
}

/// The most seasons whose models are kept: more than the leagues have together.
const KEPT_MODELS: usize = 4096;

impl<V: LoadedSeason> CurrentSeasons<V> {
    /// Creates a preparation that loads seasons from `views`.
    pub fn new(views: Arc<dyn SeasonViews<V>>) -> Self {
        Self { views, models: Mutex::default() }
    }

    async fn view(&self, market: Market, (season, entry): (Season, &ResultsEntry)) -> Result<Arc<V>, PortError> {
        self.views.view(&SeasonRef::from_artifact(market, season, &entry.artifact)).await
    }
}

#[async_trait]
impl<V: LoadedSeason> ForecastSeasons for CurrentSeasons<V> {
    /// Opens each season once.
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        let models = || self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = models().get(season) {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(self.views.view(season).await?.forecast_models());
        let mut models = models();
        if models.len() >= KEPT_MODELS {
            models.clear();
        }
        models.insert(*season, Arc::clone(&found));
        Ok(found)
    }
}

#[async_trait]
impl<V: LoadedSeason> Preparation for CurrentSeasons<V> {
    async fn prepare(&self, catalog: &Catalog) -> Result<PinnedSeasons, PortError> {
        let mut pinned = PinnedSeasons::default();
        for model_type in ModelType::ALL {
            let market = Market::new(catalog.sport, model_type);
            if let Some(current) = catalog.current_season(model_type) {
                let season = self.view(market, current).await?;
                pinned.0.push(Arc::clone(&season) as _);
                off_thread("a current season", move || season.make_ready()).await?;
            }
            if let Some(live) = awaited(catalog, model_type) {
                pinned.0.push(self.view(market, live).await?);
            }
        }
        Ok(pinned)
    }

    async fn unsettled(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        let mut unsettled = Vec::new();
        for model_type in ModelType::ALL {
            if let Some(live) = awaited(catalog, model_type) {
                unsettled.extend(self.view(Market::new(catalog.sport, model_type), live).await?.unsettled());
            }
        }
        Ok(unsettled.into_iter().collect())
    }
}

/// Returns the live season of a market if a game of it awaits its ending. The catalog records that, so no archive is opened
/// without such a game.
fn awaited(catalog: &Catalog, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
    catalog.live_results(model_type).filter(|(_, entry)| entry.coverage.oldest_unsettled_date.is_some())
}
