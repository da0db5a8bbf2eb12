use std::sync::atomic::{AtomicU64, Ordering};

use sports_telemetry::metrics::{Exposition, Kind};

/// Counts of what happened on connections since the program started.
#[derive(Debug, Default)]
pub struct Tally {
    malformed_requests: AtomicU64,
    evicted: AtomicU64,
    rejected: AtomicU64,
    sent: AtomicU64,
}

impl Tally {
    /// Counts a request that is not HTTP or did not arrive whole.
    pub(crate) fn count_malformed(&self) {
        self.malformed_requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection that was closed for another.
    pub(crate) fn count_evicted(&self) {
        self.evicted.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection that was not accepted.
    pub(crate) fn count_rejected(&self) {
        self.rejected.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts bytes of responses.
    pub(crate) fn count_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Writes the counts.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let mut counter = |name, help: &str, count| exposition.family(name, Kind::Counter, help).sample(&[], count);
        let sent = self.sent.load(Ordering::Relaxed);
        counter("http_response_bytes_total", "Bytes of responses that were sent, heads included.", sent);
        let help = "Requests that were not HTTP or did not arrive whole.";
        counter("http_malformed_requests_total", help, self.malformed_requests());
        let help = "Connections closed while idle or slow, so that another could be accepted.";
        counter("http_connections_closed_for_others_total", help, self.evicted());
        let help = "Connections that were not accepted because all others were busy.";
        counter("http_connections_turned_away_total", help, self.rejected());
    }

    /// Returns the number of requests that were not HTTP or did not arrive whole.
    pub fn malformed_requests(&self) -> u64 {
        self.malformed_requests.load(Ordering::Relaxed)
    }

    /// Returns the number of connections that were closed so that another could be accepted.
    pub fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Returns the number of connections that were not accepted because all others were busy.
    pub fn rejected(&self) -> u64 {
        self.rejected.load(Ordering::Relaxed)
    }
}
