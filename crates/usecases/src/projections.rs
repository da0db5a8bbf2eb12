//! Projections of ledgers: what follows from all entries of a league or a season, fed by each entry once.
//!
//! A projection stays in memory while it is used, as far as its share allows, and at least the one that was used last does. One
//! that was removed is made again from the entries.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_ports::PortError;
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, timeout_at};

/// The error of a request whose projection takes longer than the request waits. The work goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Underway;

/// A projection in memory.
pub(super) trait Projection: Default {
    /// Returns the memory that it takes.
    fn bytes(&self) -> u64;
}

/// The projections of one kind.
pub(super) struct Projections<K, P> {
    slots: Mutex<Slots<K, P>>,
    /// The memory of all projections, in bytes.
    share: u64,
    /// The longest time for which a request waits.
    timeout: Duration,
}

struct Slots<K, P> {
    /// The projections, each with the number of its last use.
    kept: HashMap<K, (Arc<P>, u64)>,
    uses: u64,
}

impl<K: Copy + Eq + Hash, P: Projection> Projections<K, P> {
    pub(super) fn new(share: u64, timeout: Duration) -> Self {
        Self { slots: Mutex::new(Slots { kept: HashMap::new(), uses: 0 }), share, timeout }
    }

    /// Returns the projection with this key, an empty one if none is in memory.
    pub(super) fn get(&self, key: K) -> Arc<P> {
        let mut slots = self.lock();
        slots.uses += 1;
        let uses = slots.uses;
        let (projection, last_use) = slots.kept.entry(key).or_default();
        *last_use = uses;
        Arc::clone(projection)
    }

    /// Returns the projection with this key, if it is in memory.
    pub(super) fn peek(&self, key: K) -> Option<Arc<P>> {
        self.lock().kept.get(&key).map(|(projection, _)| Arc::clone(projection))
    }

    /// Removes projections that were used least recently from memory, as far as the share is exceeded.
    pub(super) fn evict(&self) {
        let kept = &mut self.lock().kept;
        let mut total: u64 = kept.values().map(|(projection, _)| projection.bytes()).sum();
        while total > self.share && kept.len() > 1 {
            let oldest = kept.iter().min_by_key(|(_, (_, last_use))| *last_use).map(|(key, _)| *key);
            let Some((dropped, _)) = oldest.and_then(|key| kept.remove(&key)) else { return };
            total = total.saturating_sub(dropped.bytes());
        }
    }

    /// Returns the instant until which a request waits.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }

    fn lock(&self) -> MutexGuard<'_, Slots<K, P>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until no other request feeds a projection.
pub(super) async fn alone<T>(
    progress: &Arc<tokio::sync::Mutex<T>>,
    deadline: Instant,
) -> Result<OwnedMutexGuard<T>, Underway> {
    timeout_at(deadline, Arc::clone(progress).lock_owned()).await.map_err(|_| Underway)
}

/// Feeds a projection in a task of its own, which goes on when no request waits for it anymore.
pub(super) async fn fed<T: Send + 'static>(
    deadline: Instant,
    feeding: impl Future<Output = Result<T, PortError>> + Send + 'static,
) -> Result<Result<T, PortError>, Underway> {
    let fed = timeout_at(deadline, tokio::spawn(feeding)).await.map_err(|_| Underway)?;
    Ok(fed.unwrap_or_else(|ended| Err(PortError::unavailable("the reading of a log", ended))))
}
