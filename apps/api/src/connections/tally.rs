use std::sync::atomic::{AtomicU64, Ordering};

/// What connections were refused since the program started.
#[derive(Debug, Default)]
pub struct Tally {
    malformed_requests: AtomicU64,
    made_room: AtomicU64,
    turned_away: AtomicU64,
}

impl Tally {
    pub(crate) fn malformed_request(&self) {
        self.malformed_requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn one_made_room(&self) {
        self.made_room.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn one_turned_away(&self) {
        self.turned_away.fetch_add(1, Ordering::Relaxed);
    }

    /// Requests that were no HTTP that can be read, or did not arrive whole.
    #[must_use]
    pub fn malformed_requests(&self) -> u64 {
        self.malformed_requests.load(Ordering::Relaxed)
    }

    /// Connections that were closed while their client was waited for, so that another one could be taken.
    #[must_use]
    pub fn made_room(&self) -> u64 {
        self.made_room.load(Ordering::Relaxed)
    }

    /// Connections that were not taken, because all others were being answered.
    #[must_use]
    pub fn turned_away(&self) -> u64 {
        self.turned_away.load(Ordering::Relaxed)
    }
}
