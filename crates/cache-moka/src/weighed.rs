use std::hash::Hash;
use std::sync::Arc;

use foldhash::fast::RandomState;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use sports_ports::PortError;
use sports_ports::seasons::Weighed;

/// A cache of values with a bounded total weight and LRU eviction, since values that a publication replaced are never requested
/// again, however often they were before.
///
/// Concurrent readers of a missing value share one computation. A value that has become heavier is weighed again on its next
/// lookup.
pub struct WeighedCache<K, V>(Cache<K, (Arc<V>, u32), RandomState>);

impl<K: Hash + Eq + Copy + Send + Sync + 'static, V: Weighed + Send + Sync + 'static> WeighedCache<K, V> {
    /// Returns an empty cache of `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        let weigher = |_: &K, (_, weight): &(Arc<V>, u32)| *weight;
        let bounded = Cache::builder().max_capacity(capacity).weigher(weigher).eviction_policy(EvictionPolicy::lru());
        Self(bounded.build_with_hasher(RandomState::default()))
    }

    /// Returns the value of a key, and makes it if it is missing. A failure is not cached.
    pub async fn get(
        &self,
        key: K,
        making: impl Future<Output = Result<Arc<V>, PortError>>,
    ) -> Result<Arc<V>, PortError> {
        let weighed = async {
            let value = making.await?;
            let weight = weigh(&*value);
            Ok((value, weight))
        };
        let found = self.0.try_get_with(key, weighed).await;
        let found = found.map_err(|error: Arc<PortError>| crate::shared(error))?;
        Ok(self.weighed_again(key, found).await)
    }

    /// Returns the value of a key, if it is cached.
    pub async fn peek(&self, key: &K) -> Option<Arc<V>> {
        let found = self.0.get(key).await?;
        Some(self.weighed_again(*key, found).await)
    }

    async fn weighed_again(&self, key: K, (value, weighed): (Arc<V>, u32)) -> Arc<V> {
        let weight = weigh(&*value);
        if weight != weighed {
            self.0.insert(key, (Arc::clone(&value), weight)).await;
        }
        value
    }

    pub async fn put(&self, key: K, value: V) {
        let weight = weigh(&value);
        self.0.insert(key, (Arc::new(value), weight)).await;
    }

    /// Returns the weight of the cached values as of the last maintenance, in bytes.
    pub fn weight(&self) -> u64 {
        self.0.weighted_size()
    }

    /// Runs the maintenance that is due, which the cache otherwise runs during lookups.
    pub async fn settle(&self) {
        self.0.run_pending_tasks().await;
    }
}

/// Returns the weight of a value as the cache counts it.
fn weigh(value: &impl Weighed) -> u32 {
    u32::try_from(value.weight()).unwrap_or(u32::MAX)
}
