//! The losses of entries that a record states when it begins anew.

use chrono::DateTime;
use sports_domain::{Season, Sport, eastern_date};

use super::Evidence;
use super::leaf_history::StatedLeaves;

/// A tree that was lost, and the interval in which it may have had later forecasts than the record has.
pub(crate) struct LostTree {
    /// The entry that states it.
    pub(crate) generation: u64,
    /// The number of leaves that were kept.
    pub(crate) kept: u64,
    /// The last time at which a quorum had no more than these leaves.
    from: Option<u64>,
    /// The time by which a quorum had the statement.
    to: Option<u64>,
}

impl LostTree {
    pub(crate) fn all(leaves: &StatedLeaves, evidence: &Evidence) -> Vec<Self> {
        let restarts = leaves.leaves().iter().enumerate().filter(|(_, leaf)| leaf.fact.lost_checkpoint().is_some());
        let lost = restarts.map(|(index, leaf)| {
            // The `release` leaf of its entry is before it.
            let (index, kept) = (index as u64, (index as u64).saturating_sub(1));
            let (from, to) = (evidence.last_of_at_most(kept), evidence.time_of(index));
            Self { generation: leaf.generation, kept, from, to }
        });
        lost.collect()
    }

    /// Returns `true` if a start is in the interval.
    pub(crate) fn has(&self, start: i64) -> bool {
        self.from.is_none_or(|from| start > seconds(from)) && self.to.is_none_or(|to| start <= seconds(to))
    }

    /// Returns `true` if a game of the season could have begun in the interval, also one that the tree no longer has.
    pub(crate) fn meets(&self, sport: Sport, season: Season) -> bool {
        let day = |time: u64| DateTime::from_timestamp(seconds(time), 0).map(eastern_date);
        let (Some(first), Some(last)) = (self.from.and_then(day), self.to.and_then(day)) else { return true };
        first.iter_days().take_while(|date| *date <= last).any(|date| season.usually_has(sport, date))
    }
}

fn seconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}
