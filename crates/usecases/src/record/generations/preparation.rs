use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use sports_domain::{Market, ModelType, Season};
use sports_ports::PortError;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews};
use sports_publication::{Catalog, ResultsEntry};

use crate::record::off_thread;
use crate::unsettled::UnsettledGames;

/// Work that must be done before a generation is served.
#[async_trait]
pub trait Preparation: Send + Sync {
    /// Loads the seasons of a catalog; returns the games of the live season without an ending.
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError>;
}

/// A preparation that loads every market's current season and the season of today's predictions, so that the first
/// request after a publish is as fast as any.
pub struct CurrentSeasons<V> {
    views: Arc<dyn SeasonViews<V>>,
    /// The season made ready last for each market, while it is in memory.
    current: Mutex<HashMap<Market, Weak<V>>>,
    /// A lock held while a season is made ready: several at a time would take a core from requests, whatever their
    /// priority.
    at_work: tokio::sync::Mutex<()>,
}

impl<V: LoadedSeason> CurrentSeasons<V> {
    /// Creates a preparation that loads seasons from `views`.
    #[must_use]
    pub fn new(views: Arc<dyn SeasonViews<V>>) -> Self {
        Self { views, current: Mutex::default(), at_work: tokio::sync::Mutex::default() }
    }

    async fn view(&self, market: Market, (season, entry): (Season, &ResultsEntry)) -> Result<Arc<V>, PortError> {
        self.views.view(&SeasonRef::from_artifact(market, season, &entry.artifact)).await
    }

    async fn make_ready(&self, market: Market, season: Arc<V>) -> Result<(), PortError> {
        let before = self.known().insert(market, Arc::downgrade(&season)).and_then(|before| before.upgrade());
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, &season)) {
            return Ok(());
        }
        let _at_work = self.at_work.lock().await;
        off_thread("a current season", move || season.make_ready(before.as_deref())).await
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Market, Weak<V>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl<V: LoadedSeason> Preparation for CurrentSeasons<V> {
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        let mut unsettled = Vec::new();
        for model_type in ModelType::ALL {
            let market = Market::new(catalog.sport, model_type);
            if let Some(current) = catalog.current_season(model_type) {
                let season = self.view(market, current).await?;
                self.make_ready(market, season).await?;
            }
            // The catalog records whether any game is unsettled, so no archive is opened without one.
            let awaits = |(_, entry): &(Season, &ResultsEntry)| entry.coverage.oldest_unsettled_date.is_some();
            if let Some(live) = catalog.live_results(model_type).filter(awaits) {
                unsettled.extend(self.view(market, live).await?.unsettled());
            }
        }
        Ok(unsettled.into_iter().collect())
    }
}
