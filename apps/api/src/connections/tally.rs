use std::sync::atomic::{AtomicU64, Ordering};

use sports_telemetry::metrics::{Exposition, Kind};

/// What connections were refused and sent since the program started.
#[derive(Debug, Default)]
pub struct Tally {
    malformed_requests: AtomicU64,
    made_room: AtomicU64,
    turned_away: AtomicU64,
    sent: AtomicU64,
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

    pub(super) fn sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn expose(&self, exposition: &mut Exposition) {
        let mut counter = |name, help: &str, count| exposition.family(name, Kind::Counter, help).sample(&[], count);
        let sent = self.sent.load(Ordering::Relaxed);
        counter("http_response_bytes_total", "Bytes of answers that were sent, heads included.", sent);
        let help = "Requests that were no HTTP that can be read, or did not arrive whole.";
        counter("http_malformed_requests_total", help, self.malformed_requests());
        let help = "Connections closed while their client was waited for, so that another could be taken.";
        counter("http_connections_closed_for_others_total", help, self.made_room());
        let help = "Connections that were not taken, because all others were being answered.";
        counter("http_connections_turned_away_total", help, self.turned_away());
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
