use std::collections::BTreeMap;

/// The times at which trusted witnesses received trees, by size. A tree has every leaf below its size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The earliest time of each size, in seconds since 1970.
    times: BTreeMap<u64, u64>,
}

impl Evidence {
    /// Adds the time of a verified cosignature of the tree of this size.
    pub fn add(&mut self, size: u64, time: u64) {
        let earliest = self.times.entry(size).or_insert(time);
        *earliest = time.min(*earliest);
    }

    /// Returns the earliest time at which a witness had received a leaf.
    pub fn time_of(&self, leaf: u64) -> Option<u64> {
        self.times.range(leaf.saturating_add(1)..).map(|(_, time)| *time).min()
    }

    /// Returns `true` if a witness had received a leaf in a second before `start`.
    pub(crate) fn is_before(&self, leaf: u64, start: i64) -> bool {
        self.time_of(leaf).and_then(|time| i64::try_from(time).ok()).is_some_and(|time| time < start)
    }
}
