use std::sync::atomic::{AtomicU64, Ordering};

use sports_domain::Sport;

/// The number of changes of each league's current generation.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Changes([u64; Sport::ALL.len()]);

impl Changes {
    /// Returns true if data read of a league in this state is valid in another state, too; without a league, data read
    /// of any league.
    #[must_use]
    pub fn leave_alone(self, sport: Option<Sport>, other: Self) -> bool {
        sport.map_or(self == other, |sport| self.0[sport as usize] == other.0[sport as usize])
    }

    /// Returns the counts with one more change of a league.
    #[must_use]
    pub const fn and_one_of(mut self, sport: Sport) -> Self {
        self.0[sport as usize] += 1;
        self
    }
}

/// The counters behind [`Changes`].
#[derive(Default)]
pub(super) struct ChangeCounters([AtomicU64; Sport::ALL.len()]);

impl ChangeCounters {
    pub(super) fn increment(&self, sport: Sport) {
        self.0[sport as usize].fetch_add(1, Ordering::Release);
    }

    pub(super) fn values(&self) -> Changes {
        Changes(self.0.each_ref().map(|count| count.load(Ordering::Acquire)))
    }
}
