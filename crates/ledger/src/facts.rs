//! The facts of an entry, and the rule by which an entry continues another.

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_ports::publication::LogEntry;
use sports_publication::{Catalog, ClockSource, Generation, LeavesEntry};
use sports_transparency::TreeHash;

/// The facts of an entry that stay in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryFacts {
    pub generation: Generation,
    /// The hash of the entry's bytes.
    pub digest: ObjectHash,
    /// The hash of the entry that it continues; `None` in a first entry.
    pub previous: Option<ObjectHash>,
    pub published_at: DateTime<Utc>,
    pub clock: ClockSource,
    /// The tree after the entry; `None` before the tree.
    pub tree: Option<TreeFacts>,
}

/// The tree of a league after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeFacts {
    /// The place of the entry's first leaf.
    pub first: u64,
    /// The number of leaves, those of the entry included.
    pub size: u64,
    pub root: TreeHash,
    /// The object with the entry's leaves.
    pub leaves: LeavesEntry,
}

impl EntryFacts {
    /// Returns the facts of an entry with this content and hash.
    pub fn new(catalog: &Catalog, digest: ObjectHash) -> Self {
        let Catalog { generation, previous, published_at, clock, .. } = *catalog;
        let tree = catalog.tree.as_ref().map(|tree| TreeFacts {
            first: tree.first,
            size: tree.edge.size(),
            root: tree.edge.root(),
            leaves: tree.leaves,
        });
        Self { generation, digest, previous, published_at, clock, tree }
    }

    /// Returns true for number 1 that continues no entry.
    pub fn is_first(&self) -> bool {
        self.generation == Generation::FIRST && self.previous.is_none()
    }

    /// Returns true if the entry continues another: it has the next number, names its hash, and was published later.
    pub fn continues(&self, before: &Self) -> bool {
        before.generation.next() == self.generation
            && self.previous == Some(before.digest)
            && before.published_at < self.published_at
    }
}

impl From<&LogEntry> for EntryFacts {
    fn from(entry: &LogEntry) -> Self {
        Self::new(&entry.catalog, entry.digest)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::table::tests::facts;

    #[test]
    fn an_entry_continues_the_one_right_below_that_it_names_and_that_is_earlier() {
        let (before, entry) = (facts(3), facts(4));
        assert!(entry.continues(&before) && !before.continues(&entry) && !entry.continues(&facts(2)));
        let other = Some(ObjectHash::from_bytes(b"another entry"));
        assert!(!EntryFacts { previous: other, ..entry }.continues(&before));
        assert!(!EntryFacts { generation: Generation::FIRST, ..entry }.continues(&before));
        for published_at in [before.published_at, before.published_at - TimeDelta::seconds(1)] {
            assert!(!EntryFacts { published_at, ..entry }.continues(&before));
        }
    }

    #[test]
    fn the_facts_of_thirty_thousand_entries_take_a_few_megabytes() {
        assert!(size_of::<EntryFacts>() <= 200, "{}", size_of::<EntryFacts>());
    }
}
