use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use foldhash::fast::RandomState;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::record::RecordFile;
use sports_ports::seasons::{SeasonRef, Weighed};

/// The one cache of values that follow from published content, whatever their types: all share one bound. Clones share it, too.
///
/// A name stands for its content, so nothing is ever invalid. The values that were used least recently are evicted first, since
/// those that a publication replaced are never requested again, however often they were before.
///
/// Concurrent readers of a missing value share one computation. A value that has become heavier is weighed again on its next
/// lookup. A value that is in use outlives its eviction and is found again, so what a holder pins is never made twice.
#[derive(Clone)]
pub struct ContentCache(Arc<Values>);

struct Values {
    cached: Cache<Key, Arc<CachedValue>, RandomState>,
    evicted: Arc<Mutex<EvictedInUse>>,
}

/// The name of a value among those of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ValueName {
    Season(SeasonRef),
    Result(ObjectHash),
    File(RecordFile),
}

type Key = (TypeId, ValueName);

type AnyValue = dyn Any + Send + Sync;

/// A value with its weight. The cache refers to this pair, which it frees some time after an eviction. Users refer to the value
/// alone, so it is in use if there is a reference to it beside the pair's.
struct CachedValue {
    value: Arc<AnyValue>,
    weight: u32,
}

/// The values that were evicted while somebody used them.
#[derive(Default)]
struct EvictedInUse {
    values: HashMap<Key, Weak<AnyValue>>,
    /// The number of values at which those that are no longer in use are removed.
    cleared_at: usize,
}

/// The smallest number of evicted values at which unused ones are removed.
const FEWEST_CLEARED: usize = 64;

impl ContentCache {
    /// Returns an empty cache of `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        let evicted = Arc::<Mutex<EvictedInUse>>::default();
        let noted = Arc::clone(&evicted);
        let cached = Cache::builder()
            .max_capacity(capacity)
            .weigher(|_: &Key, cached: &Arc<CachedValue>| cached.weight)
            .eviction_policy(EvictionPolicy::lru())
            .eviction_listener(move |key, cached: Arc<CachedValue>, cause| {
                if cause.was_evicted() {
                    locked(&noted).note(*key, &cached.value);
                }
            })
            .build_with_hasher(RandomState::default());
        Self(Arc::new(Values { cached, evicted }))
    }

    /// Returns the value of a name, and makes it if it is missing. A failure is not cached.
    pub(crate) async fn get<V: Weighed + Send + Sync + 'static>(
        &self,
        name: ValueName,
        making: impl Future<Output = Result<Arc<V>, PortError>>,
    ) -> Result<Arc<V>, PortError> {
        let key = (TypeId::of::<V>(), name);
        let made = async {
            match self.in_use::<V>(&key) {
                Some(value) => Ok(CachedValue::of(value)),
                None => making.await.map(CachedValue::of),
            }
        };
        let found = self.0.cached.try_get_with(key, made).await;
        let found = found.map_err(|error: Arc<PortError>| crate::shared(error))?;
        Ok(self.weighed_again(key, found).await)
    }

    /// Returns the value of a name, if it is in memory.
    pub(crate) async fn peek<V: Weighed + Send + Sync + 'static>(&self, name: ValueName) -> Option<Arc<V>> {
        let key = (TypeId::of::<V>(), name);
        if let Some(found) = self.0.cached.get(&key).await {
            return Some(self.weighed_again(key, found).await);
        }
        let value: Arc<V> = self.in_use(&key)?;
        self.0.cached.insert(key, CachedValue::of(Arc::clone(&value))).await;
        Some(value)
    }

    pub(crate) async fn put<V: Weighed + Send + Sync + 'static>(&self, name: ValueName, value: V) {
        self.0.cached.insert((TypeId::of::<V>(), name), CachedValue::of(Arc::new(value))).await;
    }

    /// Returns the weight of the cached values as of the last maintenance, in bytes.
    pub fn weight(&self) -> u64 {
        self.0.cached.weighted_size()
    }

    /// Runs the maintenance that is due, which the cache otherwise runs during lookups.
    pub async fn settle(&self) {
        self.0.cached.run_pending_tasks().await;
    }

    async fn weighed_again<V: Weighed + Send + Sync + 'static>(&self, key: Key, found: Arc<CachedValue>) -> Arc<V> {
        let value = typed::<V>(Arc::clone(&found.value));
        if weigh(&*value) != found.weight {
            self.0.cached.insert(key, CachedValue::of(Arc::clone(&value))).await;
        }
        value
    }

    /// Returns an evicted value that is still in use.
    fn in_use<V: Send + Sync + 'static>(&self, key: &Key) -> Option<Arc<V>> {
        locked(&self.0.evicted).values.get(key)?.upgrade().map(typed)
    }
}

impl CachedValue {
    fn of<V: Weighed + Send + Sync + 'static>(value: Arc<V>) -> Arc<Self> {
        let weight = weigh(&*value);
        Arc::new(Self { value, weight })
    }
}

impl EvictedInUse {
    fn note(&mut self, key: Key, value: &Arc<AnyValue>) {
        if Arc::strong_count(value) == 1 {
            self.values.remove(&key);
            return;
        }
        if self.values.len() >= self.cleared_at.max(FEWEST_CLEARED) {
            self.values.retain(|_, value| value.strong_count() > 0);
            self.cleared_at = 2 * self.values.len();
        }
        self.values.insert(key, Arc::downgrade(value));
    }
}

fn locked(evicted: &Mutex<EvictedInUse>) -> MutexGuard<'_, EvictedInUse> {
    evicted.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a value as one of the type in its key.
fn typed<V: Send + Sync + 'static>(value: Arc<AnyValue>) -> Arc<V> {
    value.downcast().unwrap_or_else(|_| unreachable!("the key of a value has its type"))
}

/// Returns the weight of a value as the cache counts it.
fn weigh(value: &impl Weighed) -> u32 {
    u32::try_from(value.weight()).unwrap_or(u32::MAX)
}
