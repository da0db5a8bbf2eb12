use std::sync::atomic::{AtomicU64, Ordering};

use sports_domain::Sport;

/// The number of changes of each league's current generation.
#[derive(Default)]
pub(super) struct Changes([AtomicU64; Sport::ALL.len()]);

impl Changes {
    /// Counts a change of a league.
    pub(super) fn count(&self, sport: Sport) {
        self.0[sport as usize].fetch_add(1, Ordering::Release);
    }

    /// Returns the number of changes of a league, or of all leagues.
    pub(super) fn so_far(&self, sport: Option<Sport>) -> u64 {
        let number = |count: &AtomicU64| count.load(Ordering::Acquire);
        sport.map_or_else(|| self.0.iter().map(number).sum(), |sport| number(&self.0[sport as usize]))
    }
}
