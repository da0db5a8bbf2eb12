//! The reading of the facts of older entries: in the background, newest first, from indexes where there are some.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Release};

use futures::{StreamExt, stream};
use sports_domain::Sport;
use sports_ports::{PortError, error_chain};
use sports_publication::Generation;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::Ledger;
use crate::head::{Read, read};
use crate::index::{self, BLOCK};
use crate::table::Content;
use crate::{EntryFacts, PORT};

/// The blocks of older entries that are read concurrently, and the entries of one block.
const BLOCKS_AT_ONCE: usize = 8;
const ENTRIES_AT_ONCE: usize = 32;

/// The error of a request for which facts of older entries are still being read.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the older entries of {0} are being read")]
pub struct BeingRead(pub Sport);

/// Returns true for the error of a request for which facts of older entries are still being read.
pub fn is_being_read(error: &PortError) -> bool {
    matches!(error, PortError::Unavailable { source, .. } if source.is::<BeingRead>())
}

/// The state of the reading of older entries.
#[derive(Default)]
pub(super) struct Reading {
    is_running: AtomicBool,
    /// The last failure, sent anew with each step.
    progress: watch::Sender<Option<String>>,
}

/// The facts of some of the highest unread numbers.
struct Block {
    /// The numbers, highest first.
    numbers: Vec<Generation>,
    /// The facts by the index of the block, if it has one.
    indexed: Option<Vec<EntryFacts>>,
}

impl Ledger {
    /// Returns what `answer` finds in the known facts; reads older ones, and waits for them, while it finds nothing.
    pub(super) async fn awaited<T>(
        self: &Arc<Self>,
        answer: impl Fn(&Self) -> Option<T> + Send,
    ) -> Result<T, PortError> {
        let deadline = self.patience.map(|patience| Instant::now() + patience);
        if self.newest().is_none() {
            self.poll(None).await?;
        }
        let mut progress = self.reading.progress.subscribe();
        loop {
            if let Some(found) = answer(self) {
                return Ok(found);
            }
            self.read_on();
            let changed = progress.changed();
            let is_late = match deadline {
                Some(deadline) => timeout_at(deadline, changed).await.is_err(),
                None => changed.await.is_err(),
            };
            if is_late {
                return Err(PortError::unavailable(PORT, BeingRead(self.sport)));
            }
            if let Some(failure) = progress.borrow_and_update().clone() {
                return Err(PortError::unavailable(PORT, failure));
            }
        }
    }

    /// Begins to read the facts of all older entries, newest first, unless that is under way.
    pub fn read_on(self: &Arc<Self>) {
        if self.state().table.unread().is_empty() || self.reading.is_running.swap(true, AcqRel) {
            return;
        }
        let ledger = Arc::clone(self);
        tokio::spawn(async move {
            let running = Running(&ledger);
            let read = ledger.read_older().await;
            drop(running);
            if let Err(error) = read {
                let reason = error_chain(&error);
                tracing::debug!(sport = %ledger.sport, reason, "older entries of a log cannot be read: {reason}");
                ledger.reading.progress.send_replace(Some(reason));
            }
        });
    }

    async fn read_older(&self) -> Result<(), PortError> {
        let unread = self.state().table.unread().to_vec();
        let blocks = unread.chunk_by(|one, other| index::end_of_block(*one) == index::end_of_block(*other)).rev();
        let blocks: Vec<_> = blocks.map(|block| block.iter().rev().copied().collect::<Vec<_>>()).collect();
        let mut blocks = stream::iter(blocks).map(|numbers| self.block(numbers)).buffered(BLOCKS_AT_ONCE);
        while let Some(block) = blocks.next().await {
            self.add_block(block?).await?;
            self.reading.progress.send_replace(None);
        }
        Ok(())
    }

    /// Reads the index of a block; `indexed` is `None` if it has none that fits.
    async fn block(&self, numbers: Vec<Generation>) -> Result<Block, PortError> {
        let end = numbers.first().copied().map(index::end_of_block);
        let (Some(files), Some(end)) = (&self.indexes, end) else { return Ok(Block { numbers, indexed: None }) };
        if numbers.len() < ENTRIES_AT_ONCE {
            return Ok(Block { numbers, indexed: None });
        }
        let bytes = match files.record_file(&index::file(self.sport, end)).await {
            Ok(bytes) => bytes,
            Err(PortError::Corrupt { .. }) => None,
            Err(error) => return Err(error),
        };
        let indexed = bytes.and_then(|bytes| index::decode(self.sport, &bytes));
        let indexed = indexed.filter(|facts| facts.len() as u64 == BLOCK);
        Ok(Block { numbers, indexed })
    }

    /// Adds the facts of the highest unread numbers: those of the index, as far as the entry above continues them, else those of
    /// the entries.
    async fn add_block(&self, block: Block) -> Result<(), PortError> {
        let Block { numbers, indexed } = block;
        if let Some(indexed) = indexed.filter(|facts| self.fits(&numbers, facts)) {
            let mut state = self.state_mut();
            for number in numbers {
                let facts = indexed.binary_search_by_key(&number, |facts| facts.generation).map(|index| indexed[index]);
                state.table.read(facts.map_or(Content::Unreadable, Content::Entry));
            }
            return Ok(());
        }
        let reads = stream::iter(numbers).map(|number| read(&*self.log, self.sport, number));
        let mut reads = reads.buffered(ENTRIES_AT_ONCE);
        while let Some(read) = reads.next().await {
            let content = match read? {
                Read::Entry(entry) => Content::Entry(EntryFacts::from(&*entry)),
                Read::Unreadable(_) | Read::Free => Content::Unreadable,
            };
            self.state_mut().table.read(content);
        }
        Ok(())
    }

    /// Returns true if the entry above some numbers continues the facts of the highest one.
    fn fits(&self, numbers: &[Generation], facts: &[EntryFacts]) -> bool {
        let state = self.state();
        let highest = facts.iter().find(|facts| Some(&facts.generation) == numbers.first());
        state.table.lowest_read().zip(highest).is_some_and(|(above, highest)| above.continues(highest))
    }
}

/// The reading of older entries, which ends when this is dropped, also by a panic.
struct Running<'l>(&'l Ledger);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.reading.is_running.store(false, Release);
        if std::thread::panicking() {
            self.0.reading.progress.send_replace(Some("the reading of older entries panicked".to_owned()));
        }
    }
}
