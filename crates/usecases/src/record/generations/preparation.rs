use std::sync::Arc;

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
}

impl<V: LoadedSeason> CurrentSeasons<V> {
    /// Creates a preparation that loads seasons from `views`.
    pub fn new(views: Arc<dyn SeasonViews<V>>) -> Self {
        Self { views }
    }

    async fn view(&self, market: Market, (season, entry): (Season, &ResultsEntry)) -> Result<Arc<V>, PortError> {
        self.views.view(&SeasonRef::from_artifact(market, season, &entry.artifact)).await
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
