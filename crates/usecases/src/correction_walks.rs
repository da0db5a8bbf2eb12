//! The corrections of each league, from the leaves of all its entries with a tree. They need earlier values, which can be as old as
//! the tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::Sport;
use sports_ledger::{EntryFacts, Ledgers};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::{CorrectionLog, CorrectionPage, Generation};
use tokio::sync::OwnedMutexGuard;

use crate::moment::LeagueMoment;
use crate::projections::{Projection, Projections, Underway, alone, fed};
use crate::record::{Slates, WorkQueue, run_queued, unreadable};
use crate::season_walk::WalkError;

/// The number of objects with leaves that are read concurrently, and in one turn.
const AT_ONCE: usize = 16;

/// The corrections of all leagues, as far as their leaves were read.
pub struct CorrectionWalks {
    ledgers: Arc<Ledgers>,
    slates: Slates,
    queue: Arc<dyn WorkQueue>,
    leagues: Projections<Sport, Slot>,
}

#[derive(Default)]
struct Slot {
    progress: Arc<tokio::sync::Mutex<Progress>>,
    bytes: AtomicU64,
}

impl Projection for Slot {
    fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }
}

/// The state of the reading of one league.
#[derive(Default)]
struct Progress {
    corrections: CorrectionLog,
    /// The newest entry that was noted.
    through: Option<EntryFacts>,
}

impl CorrectionWalks {
    /// Creates the corrections of some ledgers, with this memory for all leagues. A request has an error if the reading of leaves
    /// takes longer than `timeout`.
    pub fn new(
        ledgers: Arc<Ledgers>,
        slates: Slates,
        queue: Arc<dyn WorkQueue>,
        share: u64,
        timeout: Duration,
    ) -> Self {
        Self { ledgers, slates, queue, leagues: Projections::new(share, timeout) }
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
        let (deadline, sport) = (self.leagues.deadline(), catalog.sport);
        let underway = |Underway| WalkError::CorrectionsUnderway { sport };
        let slot = self.leagues.get(sport);
        let progress = alone(&slot.progress, deadline).await.map_err(underway)?;
        let (through, embargo) = (catalog.generation, moment.embargo());
        let page = move |log: &CorrectionLog| {
            let page = log.page(since, through, limit);
            match embargo {
                Some(now) => log.shown(page, now),
                None => page,
            }
        };
        if progress.has(&newest.entry) {
            return Ok(page(&progress.corrections));
        }
        let (walks, newest) = (Arc::clone(self), Arc::clone(newest));
        let walk = async move {
            let progress = walks.read_on(progress, &newest.entry).await.map_err(unreadable)?;
            slot.bytes.store(progress.corrections.bytes() as u64, Relaxed);
            walks.leagues.evict();
            Ok(page(&progress.corrections))
        };
        Ok(fed(deadline, walk).await.map_err(underway)??)
    }

    /// Reads on from the entry that was noted last. What was noted before a failure stays in the progress.
    async fn read_on(
        &self,
        mut progress: OwnedMutexGuard<Progress>,
        newest: &LogEntry,
    ) -> Result<OwnedMutexGuard<Progress>, PortError> {
        let (ledger, top) = (self.ledgers.of(newest.catalog.sport), EntryFacts::from(newest));
        let known = progress.through.map(|known| known.generation);
        let is_floor = move |entry: &EntryFacts| Some(entry.generation) <= known || entry.tree.is_none();
        let mut entries = ledger.run(&top, is_floor).await?.entries;
        if known.is_some() && entries.first() == progress.through.as_ref() {
            entries.remove(0);
        } else if known.is_some() {
            // The ledger does not continue what was noted.
            *progress = Progress::default();
            entries = ledger.run(&top, |entry| entry.tree.is_none()).await?.entries;
        }
        for entries in entries.chunks(AT_ONCE) {
            progress = self.note(progress, newest.catalog.sport, entries.to_vec()).await?;
        }
        Ok(progress)
    }

    /// Notes the leaves of some entries, oldest first, and returns the progress.
    async fn note(
        &self,
        mut progress: OwnedMutexGuard<Progress>,
        sport: Sport,
        entries: Vec<EntryFacts>,
    ) -> Result<OwnedMutexGuard<Progress>, PortError> {
        let slates = self.slates.clone();
        let noting = async move {
            let reads = entries.into_iter().map(|entry| {
                let slates = slates.clone();
                async move {
                    let leaves = match &entry.tree {
                        Some(tree) => Some(slates.leaves(sport, &tree.leaves).await?),
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
                progress.through = Some(entry);
            }
            Ok(progress)
        };
        run_queued(&*self.queue, noting).await
    }
}

impl Progress {
    /// Returns true if the newest entry of a league, or a later one, was noted.
    fn has(&self, newest: &LogEntry) -> bool {
        let generation = newest.catalog.generation;
        self.through.is_some_and(|through| through.digest == newest.digest || through.generation > generation)
    }
}
