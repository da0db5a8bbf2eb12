//! The facts of entries that searches need, as they are kept in memory.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;

/// The most entries of a league whose times stay in memory.
const KEPT: usize = 4096;

/// An entry of the record and its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dated {
    pub(crate) generation: Generation,
    pub(crate) digest: ObjectHash,
    /// The entry's publication time.
    pub(crate) time: DateTime<Utc>,
    /// The previous entry of the record.
    pub(crate) before: Option<Generation>,
    /// The next entry of the record, if one exists.
    pub(crate) after: Option<Generation>,
}

/// The reason for which no entry was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Undated {
    /// The log has no entry of the record.
    Empty,
    /// The first entry is later than the instant, or its tree begins behind the leaf.
    BeforeFirst(DateTime<Utc>),
    /// The log has no such number above its newest entry.
    AboveNewest(Generation),
    /// The number is no member of the record.
    NoMember,
    /// The content of this number is unknown and decides the answer.
    Unreadable(Generation),
}

/// The facts of a readable entry that a search needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) published_at: DateTime<Utc>,
    pub(super) digest: ObjectHash,
    pub(super) previous: Option<ObjectHash>,
    /// The place of the entry's first leaf, and the size of the tree after it.
    pub(super) leaves: Option<(u64, u64)>,
}

impl From<&LogEntry> for Known {
    fn from(entry: &LogEntry) -> Self {
        Self {
            published_at: entry.catalog.published_at,
            digest: entry.digest,
            previous: entry.catalog.previous,
            leaves: entry.catalog.tree.as_ref().map(|tree| (tree.first, tree.edge.size())),
        }
    }
}

/// The key of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sought {
    /// The newest entry at an instant.
    At(DateTime<Utc>),
    /// An entry by its number.
    Number(Generation),
    /// The entry that added a leaf to the tree, by the place of the leaf.
    Leaf(u64),
}

impl Sought {
    /// Returns true if an entry is at or before the sought one.
    pub(super) fn is_reached(self, number: Generation, entry: &Known) -> bool {
        match self {
            Self::At(instant) => entry.published_at <= instant,
            Self::Number(sought) => number <= sought,
            Self::Leaf(leaf) => entry.leaves.is_none_or(|(first, _)| first <= leaf),
        }
    }

    /// Returns true if an entry is the sought one whatever follows it.
    pub(super) fn is_exactly(self, entry: &Known) -> bool {
        match self {
            Self::At(instant) => entry.published_at == instant,
            Self::Number(_) => false,
            Self::Leaf(leaf) => entry.leaves.is_some_and(|(first, size)| (first..size).contains(&leaf)),
        }
    }
}

/// The facts of one league's entries.
#[derive(Default)]
pub(super) struct Facts {
    known: Mutex<HashMap<Generation, Known>>,
}

impl Facts {
    pub(super) fn known(&self, generation: Generation) -> Option<Known> {
        lock(&self.known).get(&generation).copied()
    }

    pub(super) fn keep(&self, generation: Generation, known: Known) {
        let mut all = lock(&self.known);
        if all.len() >= KEPT
            && let Some(dropped) = all.keys().next().copied()
        {
            all.remove(&dropped);
        }
        all.insert(generation, known);
    }
}

/// Locks a mutex, also after a panic of another thread: each change of the content is whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
