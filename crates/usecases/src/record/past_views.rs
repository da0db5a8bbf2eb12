use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews};

use super::CurrentGenerations;

/// Views of seasons in two caches: one of the archives that current generations name, and one of all earlier archives. So
/// earlier archives never evict current ones.
pub struct SplitViews<V> {
    generations: Arc<CurrentGenerations>,
    current: Arc<dyn SeasonViews<V>>,
    past: Arc<dyn SeasonViews<V>>,
}

impl<V: Send + Sync> SplitViews<V> {
    /// Creates the views of both caches.
    pub fn new(
        generations: Arc<CurrentGenerations>,
        current: Arc<dyn SeasonViews<V>>,
        past: Arc<dyn SeasonViews<V>>,
    ) -> Self {
        Self { generations, current, past }
    }

    fn of(&self, season: &SeasonRef) -> &dyn SeasonViews<V> {
        if self.is_current(season) { &*self.current } else { &*self.past }
    }

    fn is_current(&self, season: &SeasonRef) -> bool {
        let Ok(Some(league)) = self.generations.current(season.market.sport) else { return true };
        let named = league.catalog().results.get(&(season.market.model_type, season.season));
        named.is_some_and(|named| named.artifact.object == season.object)
    }
}

#[async_trait]
impl<V: Send + Sync + 'static> SeasonViews<V> for SplitViews<V> {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError> {
        self.of(season).view(season).await
    }

    async fn kept(&self, season: &SeasonRef) -> Option<Arc<V>> {
        self.of(season).kept(season).await
    }
}
