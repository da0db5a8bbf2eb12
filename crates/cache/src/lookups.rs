use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts of the lookups of a cache since the program started. Clones share the counts.
#[derive(Debug, Default, Clone)]
pub struct Lookups(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    all: AtomicU64,
    misses: AtomicU64,
}

impl Lookups {
    /// Counts a lookup now, and a miss when the cache begins to make the missing value.
    pub(crate) fn look_up<T>(&self, making: impl Future<Output = T>) -> impl Future<Output = T> {
        self.0.all.fetch_add(1, Relaxed);
        async {
            self.0.misses.fetch_add(1, Relaxed);
            making.await
        }
    }

    /// Counts a lookup that found its value.
    pub(crate) fn found(&self) {
        self.0.all.fetch_add(1, Relaxed);
    }

    /// Returns the lookups that found a value, or shared the making of it with another reader.
    pub fn hits(&self) -> u64 {
        // In this order: a lookup is counted before its miss.
        let misses = self.misses();
        self.0.all.load(Relaxed).saturating_sub(misses)
    }

    /// Returns the lookups that made or loaded their value.
    pub fn misses(&self) -> u64 {
        self.0.misses.load(Relaxed)
    }
}
