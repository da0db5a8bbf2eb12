use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};

use crate::content::{ContentCache, ValueName};
use crate::lookups::Lookups;

/// Season views in the cache.
///
/// Concurrent readers of a missing view share one load. A failed load is not cached: the next reader
/// tries again.
pub struct CachedSeasonViews<V> {
    inner: Arc<dyn SeasonViews<V>>,
    cache: ContentCache,
    lookups: Lookups,
}

impl<V: Weighed + Send + Sync + 'static> CachedSeasonViews<V> {
    /// Creates the views of `inner` in `cache`.
    pub fn new(inner: Arc<dyn SeasonViews<V>>, cache: &ContentCache) -> Self {
        Self { inner, cache: cache.clone(), lookups: Lookups::default() }
    }

    /// Returns the counts of lookups.
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }
}

#[async_trait]
impl<V: Weighed + Send + Sync + 'static> SeasonViews<V> for CachedSeasonViews<V> {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError> {
        self.cache.get(ValueName::Season(*season), self.lookups.look_up(self.inner.view(season))).await
    }

    async fn cached(&self, season: &SeasonRef) -> Option<Arc<V>> {
        let cached = self.cache.peek(ValueName::Season(*season)).await?;
        self.lookups.found();
        Some(cached)
    }
}
