use std::net::SocketAddr;
use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures::task::AtomicWaker;
use sports_settings::ConnectionTimeouts;
use sports_telemetry::RequestId;
use tokio::time::{Instant, timeout};

use crate::limits::BODY;
use crate::phase::{Phase, PhaseSince, PhaseTimer};

/// The address that a connection was accepted at.
#[derive(Debug, Clone, Copy)]
pub struct ListenAddress(pub SocketAddr);

/// The state of one connection. Its worker writes it; the connection table reads it, evicts connections and ends slow ones.
#[derive(Debug)]
pub struct Connection {
    timeouts: ConnectionTimeouts,
    timer: PhaseTimer,
    is_responding: AtomicBool,
    is_last_response: AtomicBool,
    /// All bytes sent, and those sent before the current wait for the client.
    sent: AtomicU64,
    sent_before: AtomicU64,
    /// Bytes received since the last wait for a body began.
    of_body: AtomicU64,
    is_ending: AtomicBool,
    has_hung_up: AtomicBool,
    task: AtomicWaker,
    refused: OnceLock<RequestId>,
}

impl Connection {
    /// The bytes of a response that a client has to take within the time limit.
    const PIECE: u64 = 64 * 1024;

    /// The most bytes of the largest body on the wire: a chunk of one byte takes six.
    const BODY_WITH_CHUNKS: u64 = 8 * BODY as u64;

    /// The most time from a connection to its first request: next to nothing, except on a busy machine.
    const ARRIVAL: Duration = Duration::from_millis(250);

    /// The most bytes that are discarded after the last response.
    const AFTER_LAST_RESPONSE: u64 = 16 * 1024 * 1024;

    /// The most time that a client may send after the last response.
    const CLOSING: Duration = Duration::from_secs(2);

    /// Creates the state of a new connection. All connections share the clock that started at `started`.
    pub(crate) fn new(timeouts: ConnectionTimeouts, started: Instant) -> Self {
        Self {
            timeouts,
            timer: PhaseTimer::new(started),
            is_responding: AtomicBool::new(false),
            is_last_response: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            sent_before: AtomicU64::new(0),
            of_body: AtomicU64::new(0),
            is_ending: AtomicBool::new(false),
            has_hung_up: AtomicBool::new(false),
            task: AtomicWaker::new(),
            refused: OnceLock::new(),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        self.timer.get().phase
    }

    /// Notes that a part of a head was received.
    pub(crate) fn begin_head(&self) {
        if self.is_at_rest() {
            self.timer.enter(Phase::Head);
        }
    }

    /// Counts bytes received after a head. Returns true if they are more than any body takes: the library does not count the
    /// bytes between chunks.
    pub(crate) fn is_too_much(&self, bytes: usize) -> bool {
        let most = match self.phase() {
            Phase::Body => Self::BODY_WITH_CHUNKS,
            Phase::Closing => Self::AFTER_LAST_RESPONSE,
            _ => return false,
        };
        let of_body = self.of_body.load(Relaxed) + bytes as u64;
        self.of_body.store(of_body, Relaxed);
        of_body > most
    }

    /// Returns true between requests: the next byte begins a head.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.phase(), Phase::New | Phase::Fresh | Phase::Idle)
    }

    /// Notes a read that found nothing.
    pub(crate) fn on_empty_read(&self) {
        if self.phase() == Phase::New {
            self.timer.enter(Phase::Fresh);
        }
    }

    /// Notes that the application begins a response.
    pub(crate) fn begin_response(&self) {
        self.is_responding.store(true, Relaxed);
        self.timer.enter(Phase::Work);
    }

    /// Notes a cached response, which the library does not see. It is nearly always sent at once, so the phase stays.
    pub(crate) fn begin_cached(&self) {
        self.is_responding.store(true, Relaxed);
    }

    /// Notes that the admission of the caller of a cached response takes time. A lookup of a key has its own phase.
    pub(crate) fn on_admission_pending(&self) {
        if self.is_at_rest() || self.phase() == Phase::Head {
            self.timer.enter(Phase::Work);
        }
    }

    /// Notes that a cached response is sent.
    pub(crate) fn end_cached(&self) {
        self.is_responding.store(false, Relaxed);
        self.timer.enter(Phase::Idle);
    }

    /// Notes that the last response was sent. Further input is discarded.
    pub(crate) fn close(&self) {
        self.timer.enter(Phase::Closing);
    }

    /// Receives a body; returns `None` if it does not arrive in time.
    pub(crate) async fn receive_body<T>(&self, body: impl Future<Output = T>) -> Option<T> {
        self.of_body.store(0, Relaxed);
        self.timer.enter(Phase::Body);
        let body = timeout(self.timeouts.body, body).await;
        self.timer.enter(Phase::Work);
        body.ok()
    }

    /// Runs the lookup of a request's key. A lookup that ends at once, as for recent keys, does not change the phase.
    pub async fn look_up_key<T>(&self, lookup: impl Future<Output = T>) -> T {
        let mut lookup = pin!(lookup);
        if let Poll::Ready(found) = futures::poll!(lookup.as_mut()) {
            return found;
        }
        self.timer.enter(Phase::Key);
        let found = lookup.await;
        self.timer.enter(Phase::Work);
        found
    }

    /// Notes that the client sends nothing more.
    pub(crate) fn on_hang_up(&self) {
        self.has_hung_up.store(true, Relaxed);
    }

    /// Returns true if the client has closed the connection, or its half of it: the two look alike.
    pub fn has_hung_up(&self) -> bool {
        self.has_hung_up.load(Relaxed)
    }

    /// Makes the current response the last one.
    pub(crate) fn close_after_response(&self) {
        self.is_last_response.store(true, Relaxed);
    }

    /// Notes that the response is complete, though perhaps not sent.
    pub(crate) fn end_response(&self) {
        self.is_responding.store(false, Relaxed);
        if self.is_last_response.load(Relaxed) {
            self.timer.enter(Phase::Closing);
        }
    }

    /// Counts bytes that the client took.
    pub(crate) fn on_sent(&self, bytes: usize) {
        let sent = self.sent.load(Relaxed) + bytes as u64;
        self.sent.store(sent, Relaxed);
        if self.phase() == Phase::Sending && sent - self.sent_before.load(Relaxed) >= Self::PIECE {
            self.sent_before.store(sent, Relaxed);
            self.timer.enter(Phase::Sending);
        }
    }

    /// Notes that the client takes no more bytes for now.
    pub(crate) fn on_write_blocked(&self) {
        if !matches!(self.phase(), Phase::Sending | Phase::Closing) {
            self.sent_before.store(self.sent.load(Relaxed), Relaxed);
            self.timer.enter(Phase::Sending);
        }
    }

    /// Notes that all written bytes are sent.
    pub(crate) fn on_flushed(&self) {
        match (self.phase(), self.is_responding.load(Relaxed)) {
            (Phase::Sending, true) => self.timer.enter(Phase::Work),
            (Phase::Sending | Phase::Work, false) => self.timer.enter(Phase::Idle),
            _ => {}
        }
    }

    /// Returns true while the first request may be there or on its way.
    pub(crate) fn is_arriving(&self) -> bool {
        let PhaseSince { phase, since } = self.timer.get();
        let is_young = || self.timer.elapsed(since) < Self::ARRIVAL.as_millis();
        phase == Phase::New || phase == Phase::Fresh && is_young()
    }

    /// Returns the millisecond since which the server waits for the client, by the clock that all connections share; `None` if
    /// it does not wait.
    pub(crate) fn waiting_since(&self) -> Option<u64> {
        let PhaseSince { phase, since } = self.timer.get();
        (phase != Phase::Work && !self.is_arriving()).then_some(since)
    }

    /// Returns true if the client exceeds the time limit of the phase. A body has its own timer, which responds.
    pub(crate) fn is_overdue(&self) -> bool {
        let PhaseSince { phase, since } = self.timer.get();
        let longest = match phase {
            Phase::New | Phase::Work | Phase::Body | Phase::Key => return false,
            Phase::Fresh | Phase::Head => self.timeouts.head,
            Phase::Sending => self.timeouts.answer,
            Phase::Idle => self.timeouts.idle,
            Phase::Closing => Self::CLOSING,
        };
        self.timer.elapsed(since) > longest.as_millis()
    }

    /// Makes its worker close the connection.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Relaxed);
        self.task.wake();
    }

    /// Returns true if the connection is to be closed; otherwise `waker` is woken once it is.
    pub(crate) fn poll_ending(&self, waker: &Waker) -> bool {
        self.task.register(waker);
        self.is_ending()
    }

    /// Returns true if the connection is to be closed.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Relaxed)
    }

    /// Returns the id under which a request was refused before it reached the application.
    pub(crate) fn refused(&self) -> &OnceLock<RequestId> {
        &self.refused
    }
}

#[cfg(test)]
impl Connection {
    /// Sets a phase that began at a millisecond.
    pub(crate) fn put(&self, phase: Phase, since: u64) {
        self.timer.set(phase, since);
    }
}

/// The draining state of a server that is about to stop. A draining server responds as before, reports that it is not ready,
/// and closes each connection after its next response, so that clients and load balancers move to another server.
#[derive(Debug, Default)]
pub struct Draining(AtomicBool);

impl Draining {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true once the server drains.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUTS: ConnectionTimeouts = ConnectionTimeouts {
        head: Duration::from_secs(10),
        body: Duration::from_secs(30),
        answer: Duration::from_secs(30),
        idle: Duration::from_secs(75),
    };

    fn connection() -> Connection {
        Connection::new(TIMEOUTS, Instant::now())
    }

    #[test]
    fn a_connection_goes_from_request_to_request() {
        let connection = connection();
        assert_eq!(connection.phase(), Phase::New);
        connection.on_empty_read();
        assert_eq!(connection.phase(), Phase::Fresh);
        for _ in 0..2 {
            connection.on_flushed();
            connection.begin_head();
            connection.begin_head();
            assert_eq!(connection.phase(), Phase::Head);
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Head, "no response was sent");
            connection.begin_response();
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Work, "the response is not complete");
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending);
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Work);
            connection.end_response();
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending, "complete, but not sent");
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Idle);
        }
        connection.begin_head();
        connection.begin_response();
        connection.close_after_response();
        connection.end_response();
        connection.on_flushed();
        assert_eq!(connection.phase(), Phase::Closing);
    }

    #[test]
    fn only_a_whole_piece_of_a_response_extends_the_time_limit() {
        let connection = connection();
        connection.begin_response();
        connection.on_sent(1 << 30);
        connection.on_write_blocked();
        connection.put(Phase::Sending, 7);
        connection.on_sent(64 * 1024 - 1);
        connection.on_write_blocked();
        assert_eq!(connection.waiting_since(), Some(7));
        connection.put(Phase::Sending, PhaseTimer::LATEST);
        connection.on_sent(1);
        assert!(connection.waiting_since() < Some(PhaseTimer::LATEST), "time begins anew");
    }

    #[tokio::test]
    async fn a_connection_is_overdue_after_the_limit_of_its_phase_and_never_at_work() {
        let long_ago = Instant::now().checked_sub(Duration::from_mins(2)).expect("a machine that is up for minutes");
        let connection = Connection::new(TIMEOUTS, long_ago);
        let table = [
            (Phase::New, None),
            (Phase::Fresh, Some(10)),
            (Phase::Head, Some(10)),
            (Phase::Work, None),
            (Phase::Body, None),
            (Phase::Key, None),
            (Phase::Sending, Some(30)),
            (Phase::Idle, Some(75)),
            (Phase::Closing, Some(2)),
        ];
        for (phase, seconds) in table {
            connection.put(phase, 0);
            assert_eq!(connection.is_overdue(), seconds.is_some(), "{phase:?}");
            let Some(seconds) = seconds else { continue };
            connection.put(phase, 120_000 - seconds * 1000 + 900);
            assert!(!connection.is_overdue(), "{phase:?}");
        }
    }
}
