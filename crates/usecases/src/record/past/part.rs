use std::sync::Arc;

use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_ports::seasons::Weighed;
use sports_publication::registry::Registry;
use sports_publication::{EntryLeaves, Odds, Predictions, RecordHead};

/// The approximate memory of an entry beside its archives, in bytes.
const OF_AN_ENTRY: usize = 4096;

/// The approximate memory of an archive's place in an entry, in bytes.
const OF_AN_ARCHIVE: usize = 512;

/// The approximate memory of a leaf with its text, in bytes.
const OF_A_LEAF: usize = 512;

/// The approximate ratio of a slate in memory to its stored bytes.
const IN_MEMORY: usize = 3;

/// A part of an earlier generation, loaded and kept on its own.
#[derive(Debug)]
pub struct PastPart {
    pub(super) content: Content,
    weight: usize,
}

/// The content of a part.
#[derive(Debug)]
pub(super) enum Content {
    Entry(PastEntry),
    Odds(Arc<Odds>),
    Predictions(Arc<Predictions>),
    Registry(Arc<Registry>),
    /// `None` for an entry from before the tree.
    Leaves(Option<Arc<EntryLeaves>>),
}

/// An entry of the log.
#[derive(Debug, Clone)]
pub(super) struct PastEntry {
    pub(super) entry: Arc<LogEntry>,
    /// The head of the tree after the entry; `None` before the tree.
    pub(super) record_head: Option<RecordHead>,
}

impl PastPart {
    /// Creates the part of an entry.
    pub(super) fn of_entry(entry: LogEntry) -> Self {
        let weight = OF_AN_ENTRY + entry.catalog.results.len() * OF_AN_ARCHIVE;
        let record_head = RecordHead::of(&entry.catalog);
        Self { content: Content::Entry(PastEntry { entry: Arc::new(entry), record_head }), weight }
    }

    /// Creates a part of content with this number of stored bytes.
    pub(super) fn stored(content: Content, bytes: u64) -> Self {
        let weight = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(IN_MEMORY);
        Self { content, weight }
    }

    /// Creates the part of the leaves of an entry.
    pub(super) fn of_leaves(leaves: Option<EntryLeaves>) -> Self {
        let weight = leaves.as_ref().map_or(0, |leaves| leaves.leaves.len() * OF_A_LEAF);
        Self { content: Content::Leaves(leaves.map(Arc::new)), weight }
    }

    pub(super) fn as_entry(&self) -> Result<&PastEntry, PortError> {
        match &self.content {
            Content::Entry(entry) => Ok(entry),
            _ => Err(another_kind()),
        }
    }

    pub(super) fn as_leaves(&self) -> Result<Option<&Arc<EntryLeaves>>, PortError> {
        match &self.content {
            Content::Leaves(leaves) => Ok(leaves.as_ref()),
            _ => Err(another_kind()),
        }
    }
}

/// Returns the error of a part with another content than its name, which is a fault of the program.
pub(super) fn another_kind() -> PortError {
    PortError::corrupt("an earlier moment", "a part has another content than its name")
}

impl Weighed for PastPart {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.weight
    }
}
