use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};

use crate::Lookups;
use crate::weighed::WeighedCache;

/// A cache of season views with a bounded weight and LRU eviction.
///
/// Concurrent readers of a missing view share one load. A failed load is not cached: the next reader
/// tries again.
pub struct CachedSeasonViews<V> {
    inner: Arc<dyn SeasonViews<V>>,
    cache: WeighedCache<SeasonRef, V>,
    lookups: Lookups,
}

impl<V: Weighed + Send + Sync + 'static> CachedSeasonViews<V> {
    /// Returns an empty cache of `capacity` bytes in front of `inner`.
    pub fn new(inner: Arc<dyn SeasonViews<V>>, capacity: u64) -> Self {
        Self { inner, cache: WeighedCache::new(capacity), lookups: Lookups::default() }
    }

    /// Returns the counts of lookups.
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }

    /// Returns the weight of the cached views as of the last maintenance, in bytes.
    pub fn weight(&self) -> u64 {
        self.cache.weight()
    }

    /// Runs the maintenance that is due, which the cache otherwise runs during lookups.
    pub async fn settle(&self) {
        self.cache.settle().await;
    }
}

#[async_trait]
impl<V: Weighed + Send + Sync + 'static> SeasonViews<V> for CachedSeasonViews<V> {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError> {
        self.cache.get(*season, self.lookups.look_up(self.inner.view(season))).await
    }

    async fn kept(&self, season: &SeasonRef) -> Option<Arc<V>> {
        let kept = self.cache.peek(season).await?;
        self.lookups.found();
        Some(kept)
    }
}
