use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};

use crate::Lookups;
use crate::weighed::WeighedCache;

/// Season views kept in memory up to a weight, the least recently asked for going first.
///
/// Readers who ask for the same missing view at once share one load. A failed load is not kept: the
/// next reader tries again.
pub struct CachedSeasonViews<V> {
    inner: Arc<dyn SeasonViews<V>>,
    cache: WeighedCache<SeasonRef, V>,
    lookups: Lookups,
}

impl<V: Weighed + Send + Sync + 'static> CachedSeasonViews<V> {
    /// Keeps views of `inner` that weigh `capacity` bytes together at most.
    #[must_use]
    pub fn new(inner: Arc<dyn SeasonViews<V>>, capacity: u64) -> Self {
        Self { inner, cache: WeighedCache::new(capacity), lookups: Lookups::default() }
    }

    /// How often a view was asked for, and how often it was not there.
    #[must_use]
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }

    /// What the kept views weigh, as of the last upkeep.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.cache.weight()
    }

    /// Does the upkeep that is due, which the cache otherwise does beside its work.
    pub async fn settle(&self) {
        self.cache.settle().await;
    }
}

#[async_trait]
impl<V: Weighed + Send + Sync + 'static> SeasonViews<V> for CachedSeasonViews<V> {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError> {
        self.cache.get(*season, self.lookups.look_up(self.inner.view(season))).await
    }
}
