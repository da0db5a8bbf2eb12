use std::hash::Hash;
use std::sync::Arc;

use moka::future::Cache;
use moka::policy::EvictionPolicy;
use sports_ports::PortError;
use sports_ports::seasons::Weighed;

/// Values up to a weight together, the least recently asked for going first: what a publication replaced is never asked for
/// again, however often it was.
///
/// Who asks for the same missing value at once shares one making of it. A value that has become heavier since it was weighed
/// is weighed again when it is next asked for.
pub struct WeighedCache<K, V>(Cache<K, (Arc<V>, u32)>);

impl<K: Hash + Eq + Copy + Send + Sync + 'static, V: Weighed + Send + Sync + 'static> WeighedCache<K, V> {
    /// Keeps values that weigh `capacity` bytes together at most.
    pub fn new(capacity: u64) -> Self {
        let weigher = |_: &K, (_, weight): &(Arc<V>, u32)| *weight;
        let least_recent = EvictionPolicy::lru();
        Self(Cache::builder().max_capacity(capacity).weigher(weigher).eviction_policy(least_recent).build())
    }

    /// The value of a key, made if it is not there. One that cannot be made is not kept.
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
        let (value, weighed) = found.map_err(|error: Arc<PortError>| crate::shared(error))?;
        let weight = weigh(&*value);
        if weight != weighed {
            self.0.insert(key, (Arc::clone(&value), weight)).await;
        }
        Ok(value)
    }

    /// What the kept values weigh, as of the last upkeep.
    pub fn weight(&self) -> u64 {
        self.0.weighted_size()
    }

    /// Does the upkeep that is due, which the cache otherwise does beside its work.
    pub async fn settle(&self) {
        self.0.run_pending_tasks().await;
    }
}

/// A value's weight as the cache counts it.
fn weigh(value: &impl Weighed) -> u32 {
    u32::try_from(value.weight()).unwrap_or(u32::MAX)
}
