use std::sync::atomic::{AtomicU64, Ordering};

use sports_domain::Sport;

/// How often the current generation of each league has changed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Changes([u64; Sport::ALL.len()]);

impl Changes {
    /// Whether what was read of a league holds in another state, too; without a league, what was read of any.
    #[must_use]
    pub fn leave_alone(self, sport: Option<Sport>, other: Self) -> bool {
        sport.map_or(self == other, |sport| self.0[sport as usize] == other.0[sport as usize])
    }

    /// As many, and one more of a league.
    #[must_use]
    pub const fn and_one_of(mut self, sport: Sport) -> Self {
        self.0[sport as usize] += 1;
        self
    }
}

/// Counts them.
#[derive(Default)]
pub(super) struct Counted([AtomicU64; Sport::ALL.len()]);

impl Counted {
    pub(super) fn count(&self, sport: Sport) {
        self.0[sport as usize].fetch_add(1, Ordering::Release);
    }

    pub(super) fn so_far(&self) -> Changes {
        Changes(self.0.each_ref().map(|count| count.load(Ordering::Acquire)))
    }
}
