//! The walks over the leaves of all entries with a tree: one for each league, for the list of its corrections.
//!
//! Each entry and its leaves are read once, and after a publication the walk goes on from there. Corrections need earlier
//! values, which can be as old as the tree.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{CorrectionLog, CorrectionPage, Generation, LeavesEntry};
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, timeout_at};

use super::descent::{AT_ONCE, Descended, Descent, DescentEnd, Floor, ReadEntry};
use super::past::in_turn;
use super::{LeagueGeneration, Slates, Turns, WalkError, unreadable};
use crate::moment::LeagueMoment;

/// The corrections of all leagues, as far as their leaves were read.
///
/// The corrections of a league stay in memory while they are used, as far as the share of memory allows; at least those that
/// were used last do.
pub struct CorrectionWalks {
    log: Arc<dyn PublicationLog>,
    slates: Slates,
    turns: Arc<dyn Turns>,
    slots: Mutex<HashMap<Sport, Arc<Slot>>>,
    /// The memory of all leagues, in bytes.
    share: u64,
    timeout: Duration,
    uses: AtomicU64,
}

#[derive(Default)]
struct Slot {
    progress: Arc<tokio::sync::Mutex<Progress>>,
    bytes: AtomicU64,
    last_use: AtomicU64,
}

/// The state of the reading of one league.
#[derive(Default)]
struct Progress {
    corrections: CorrectionLog,
    /// The newest entry that was noted.
    through: Option<(Generation, ObjectHash)>,
}

/// The leaves of an entry, and nothing else of it; `None` before the tree.
#[derive(Debug, Clone, Copy)]
struct EntryTree(Option<LeavesEntry>);

impl From<LogEntry> for EntryTree {
    fn from(entry: LogEntry) -> Self {
        Self(entry.catalog.tree.map(|tree| tree.leaves))
    }
}

impl CorrectionWalks {
    /// Creates the walks over a log, with this memory for all leagues. A request has an error if its walk takes longer
    /// than `timeout`.
    pub fn new(
        log: Arc<dyn PublicationLog>,
        slates: Slates,
        turns: Arc<dyn Turns>,
        share: u64,
        timeout: Duration,
    ) -> Self {
        Self { log, slates, turns, slots: Mutex::default(), share, timeout, uses: AtomicU64::default() }
    }

    /// Returns the corrections from an entry up to a moment: `limit` of them, and the rest of the last one's entry. Requests for
    /// one league share one walk, and the walk goes on if a request no longer waits for it.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if the walk takes longer than the request waits, or the record cannot be read.
    pub async fn page(
        self: &Arc<Self>,
        moment: &LeagueMoment,
        since: Generation,
        limit: usize,
    ) -> Result<CorrectionPage, WalkError> {
        let (Some(catalog), Some(newest)) = (moment.catalog(), moment.newest()) else {
            return Ok(CorrectionPage::default());
        };
        let (deadline, sport) = (Instant::now() + self.timeout, catalog.sport);
        let underway = |_| WalkError::CorrectionsUnderway { sport };
        let slot = self.slot(sport);
        let progress = timeout_at(deadline, Arc::clone(&slot.progress).lock_owned()).await.map_err(underway)?;
        let through = catalog.generation;
        if progress.has(newest) {
            return Ok(progress.corrections.page(since, through, limit));
        }
        let (walks, newest) = (Arc::clone(self), Arc::clone(newest));
        let walk = tokio::spawn(async move {
            let progress = walks.read_on(progress, &newest.entry).await.map_err(unreadable)?;
            slot.bytes.store(progress.corrections.bytes() as u64, Relaxed);
            walks.evict();
            Ok(progress.corrections.page(since, through, limit))
        });
        let walked = timeout_at(deadline, walk).await.map_err(underway)?;
        walked.unwrap_or_else(|ended| Err(PortError::unavailable("the walk over the leaves of a league", ended).into()))
    }

    /// Reads on from the entry that was noted last. What was noted before a failure stays in the progress.
    async fn read_on(
        &self,
        mut progress: OwnedMutexGuard<Progress>,
        newest: &LogEntry,
    ) -> Result<OwnedMutexGuard<Progress>, PortError> {
        let descended = self.descend(newest, progress.through).await?;
        if descended.end != DescentEnd::Known {
            *progress = Progress::default();
        }
        for entries in descended.entries.chunks(AT_ONCE) {
            progress = self.note(progress, newest.catalog.sport, entries.to_vec()).await?;
        }
        Ok(progress)
    }

    /// Reads the entries above the known one, down to the first one with a tree if the record does not continue that one.
    async fn descend(
        &self,
        newest: &LogEntry,
        known: Option<(Generation, ObjectHash)>,
    ) -> Result<Descended<EntryTree>, PortError> {
        let top = (newest.catalog.generation, newest.digest);
        let descent = |known| Descent { sport: newest.catalog.sport, top, known, floor: Floor::Of(EntryTree::is_none) };
        if let Some(known) = known.filter(|known| known.0 < top.0) {
            let descended = descent(Some(known)).read(&self.log, &*self.turns).await?;
            if descended.end == DescentEnd::Known {
                return Ok(descended);
            }
        }
        descent(None).read(&self.log, &*self.turns).await
    }

    /// Notes the leaves of some entries, oldest first, and returns the progress.
    async fn note(
        &self,
        mut progress: OwnedMutexGuard<Progress>,
        sport: Sport,
        entries: Vec<ReadEntry<EntryTree>>,
    ) -> Result<OwnedMutexGuard<Progress>, PortError> {
        let slates = self.slates.clone();
        let noting = async move {
            let reads = entries.into_iter().map(|entry| {
                let slates = slates.clone();
                async move {
                    let leaves = match &entry.facts.0 {
                        Some(named) => Some(slates.leaves(sport, named).await?),
                        None => None,
                    };
                    Ok((entry, leaves))
                }
            });
            let read: Vec<_> = stream::iter(reads.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
            for (entry, leaves) in read {
                if let Some(leaves) = leaves {
                    progress.corrections.note(entry.generation, entry.published_at, &leaves);
                }
                progress.through = Some((entry.generation, entry.digest));
            }
            Ok(progress)
        };
        in_turn(&*self.turns, noting).await
    }

    fn slot(&self, sport: Sport) -> Arc<Slot> {
        let slot = Arc::clone(lock(&self.slots).entry(sport).or_default());
        slot.last_use.store(self.uses.fetch_add(1, Relaxed), Relaxed);
        slot
    }

    /// Removes leagues that were used least recently from memory.
    fn evict(&self) {
        let mut slots = lock(&self.slots);
        let mut total: u64 = slots.values().map(|slot| slot.bytes.load(Relaxed)).sum();
        while total > self.share && slots.len() > 1 {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.last_use.load(Relaxed)).map(|(sport, _)| *sport);
            let Some(dropped) = oldest.and_then(|sport| slots.remove(&sport)) else { return };
            total = total.saturating_sub(dropped.bytes.load(Relaxed));
        }
    }
}

impl EntryTree {
    const fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

impl Progress {
    /// Returns true if the newest entry of a league, or a later one, was noted.
    fn has(&self, newest: &LeagueGeneration) -> bool {
        let newest = (newest.catalog().generation, newest.entry.digest);
        self.through.is_some_and(|through| through == newest || through.0 > newest.0)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
