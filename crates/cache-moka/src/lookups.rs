use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often a cache was asked since the program started. Clones are of the same cache.
#[derive(Debug, Default, Clone)]
pub struct Lookups(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    all: AtomicU64,
    misses: AtomicU64,
}

impl Lookups {
    /// Counts a lookup now, and a miss once the cache begins to make what it lacks.
    pub(crate) fn look_up<T>(&self, making: impl Future<Output = T>) -> impl Future<Output = T> {
        self.0.all.fetch_add(1, Relaxed);
        async {
            self.0.misses.fetch_add(1, Relaxed);
            making.await
        }
    }

    /// Lookups that found something, or another reader who was making it.
    #[must_use]
    pub fn hits(&self) -> u64 {
        // In this order: a lookup is counted before its miss.
        let misses = self.misses();
        self.0.all.load(Relaxed).saturating_sub(misses)
    }

    /// Lookups that had to make or load what they asked for.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.0.misses.load(Relaxed)
    }
}
