use chrono::{DateTime, TimeDelta, Utc};

use crate::movement::publications::{Published, ReadEntry};
use crate::movement::season::SeasonMovement;

/// The entries that a history reads: from the first one in the last days before a start, else the one that was current then.
#[derive(Debug, Clone, Copy)]
pub struct Window<'m> {
    oldest: &'m ReadEntry,
    has_older: bool,
}

impl<'m> Window<'m> {
    /// Returns the window of the last days before a start; `None` if no entry was read.
    pub fn before(season: &'m SeasonMovement, start: DateTime<Utc>, days: u16) -> Option<Self> {
        let entries = season.entries();
        let from = start.checked_sub_signed(TimeDelta::days(days.into())).unwrap_or(DateTime::<Utc>::MIN_UTC);
        let older = entries.partition_point(|entry| entry.published_at < from);
        let first = if entries.get(older).is_some_and(|entry| entry.published_at < start) {
            older
        } else {
            older.saturating_sub(1)
        };
        let has_older = first > 0 || !season.is_from_the_first();
        Some(Self { oldest: entries.get(first)?, has_older })
    }

    /// Returns the oldest entry of the window.
    pub const fn oldest(&self) -> &'m ReadEntry {
        self.oldest
    }

    /// Returns true if the record has an entry before the window.
    pub const fn has_older(&self) -> bool {
        self.has_older
    }

    /// Returns the entry of the window that first had a publication: that of the publication, or the oldest.
    pub(crate) const fn seen(&self, published: Published) -> Published {
        if published.generation.get() >= self.oldest.generation.get() {
            return published;
        }
        let ReadEntry { generation, published_at, .. } = *self.oldest;
        Published { generation, published_at, ..published }
    }
}
