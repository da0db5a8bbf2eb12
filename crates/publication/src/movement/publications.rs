use std::ops::Range;

use chrono::{DateTime, Utc};

use crate::{Generation, ReleaseId};

/// The publication of odds or of one market's predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The number of its log entry.
    pub generation: Generation,
    /// The publication time of that entry.
    pub published_at: DateTime<Utc>,
    /// The instant as of which its sources were read.
    pub source_as_of: DateTime<Utc>,
}

/// A log entry that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadEntry {
    /// The number of the entry.
    pub generation: Generation,
    /// The time from which the entry was the newest.
    pub published_at: DateTime<Utc>,
    /// The release that the entry published.
    pub release_id: ReleaseId,
}

/// The publications of one kind, oldest first. A version of a game is in force from its publication to that of the next
/// version, so publications without a change need no place in the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Publications(Vec<Published>);

impl Publications {
    /// Adds the newest publication and returns its index.
    pub fn add(&mut self, published: Published) -> usize {
        self.0.push(published);
        self.0.len() - 1
    }

    /// Removes the publications after an entry.
    pub fn cut_after(&mut self, generation: Generation) {
        self.0.retain(|published| published.generation <= generation);
    }

    /// Returns the publication at an index.
    pub fn get(&self, index: usize) -> Option<Published> {
        self.0.get(index).copied()
    }

    /// Returns the number of publications.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of publications before an instant.
    pub fn before(&self, instant: DateTime<Utc>) -> usize {
        self.0.partition_point(|published| published.published_at < instant)
    }

    /// Returns the number of publications at or before an instant.
    pub fn through(&self, instant: DateTime<Utc>) -> usize {
        self.0.partition_point(|published| published.published_at <= instant)
    }

    /// Returns the number of publications up to an entry. Entries of the oldest forms can share a time.
    pub fn through_entry(&self, generation: Generation) -> usize {
        self.0.partition_point(|published| published.generation <= generation)
    }

    /// Returns the last publication in a range whose sources were read anew, else the first one. Odds that another start of some game
    /// made keep the time of their sources.
    pub fn last_look(&self, range: Range<usize>) -> Option<Published> {
        self.get(range.clone().rev().find(|index| self.is_look(*index)).unwrap_or(range.start))
    }

    fn is_look(&self, index: usize) -> bool {
        let source_as_of = |index| self.get(index).map(|published| published.source_as_of);
        index.checked_sub(1).and_then(source_as_of) != source_as_of(index)
    }

    /// Returns the memory of the list, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}
