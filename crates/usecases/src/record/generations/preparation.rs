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
    /// Loads the seasons of a catalog; returns the games of the live season without an ending.
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError>;

    /// Returns the games of a catalog's live season without an ending.
    async fn unsettled(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError>;
}

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
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        for model_type in ModelType::ALL {
            if let Some(current) = catalog.current_season(model_type) {
                let season = self.view(Market::new(catalog.sport, model_type), current).await?;
                off_thread("a current season", move || season.make_ready()).await?;
            }
        }
        self.unsettled(catalog).await
    }

    async fn unsettled(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        let mut unsettled = Vec::new();
        for model_type in ModelType::ALL {
            let market = Market::new(catalog.sport, model_type);
            // The catalog records whether any game is unsettled, so no archive is opened without one.
            let awaits = |(_, entry): &(Season, &ResultsEntry)| entry.coverage.oldest_unsettled_date.is_some();
            if let Some(live) = catalog.live_results(model_type).filter(awaits) {
                unsettled.extend(self.view(market, live).await?.unsettled());
            }
        }
        Ok(unsettled.into_iter().collect())
    }
}
