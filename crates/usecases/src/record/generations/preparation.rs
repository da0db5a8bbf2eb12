use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::{Market, ModelType, Season};
use sports_ports::PortError;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews};
use sports_publication::{Catalog, ResultsEntry};

use crate::unsettled::UnsettledGames;

/// What must be loaded before a generation is served.
#[async_trait]
pub trait Preparation: Send + Sync {
    /// Loads it and gives the games of the live season that have no ending yet, or says why it cannot be.
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError>;
}

/// Loads every market's current season and the one that today's predictions are recorded in, so that the first
/// request after a publish is as fast as any.
pub struct CurrentSeasons<V> {
    /// Where seasons are loaded.
    pub views: Arc<dyn SeasonViews<V>>,
}

impl<V: LoadedSeason> CurrentSeasons<V> {
    async fn view(&self, market: Market, (season, entry): (Season, &ResultsEntry)) -> Result<Arc<V>, PortError> {
        self.views.view(&SeasonRef { market, season, object: entry.artifact.object }).await
    }
}

#[async_trait]
impl<V: LoadedSeason> Preparation for CurrentSeasons<V> {
    async fn prepare(&self, catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        let mut unsettled = Vec::new();
        for model_type in ModelType::ALL {
            let market = Market::new(catalog.sport, model_type);
            if let Some(current) = catalog.current_season(model_type) {
                self.view(market, current).await?.make_ready();
            }
            // The catalog knows where nothing is awaited: no archive is opened for that.
            let awaits = |(_, entry): &(Season, &ResultsEntry)| entry.coverage.oldest_unsettled_date.is_some();
            if let Some(live) = catalog.live_results(model_type).filter(awaits) {
                unsettled.extend(self.view(market, live).await?.unsettled());
            }
        }
        Ok(unsettled.into_iter().collect())
    }
}
