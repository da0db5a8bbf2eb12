use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::task::AtomicWaker;
use sports_program::settings::ConnectionTimeouts;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::limits::BODY;
use crate::phase::{Phase, PhaseSince, PhaseTimer};
use crate::tail::Tail;

/// The address that a connection was accepted at, and the scheme of links to it.
#[derive(Debug, Clone, Copy)]
pub struct ListenAddress {
    pub address: SocketAddr,
    pub scheme: &'static str,
}

/// The state of one connection. Its worker writes it; the connection table reads it, evicts connections and ends slow ones.
#[derive(Debug)]
pub struct Connection {
    timeouts: ConnectionTimeouts,
    timer: PhaseTimer,
    /// The protocol is HTTP/2: several requests at a time, whose responses wait for the client one by one.
    is_multiplexed: AtomicBool,
    /// The requests whose response is not complete.
    open_requests: AtomicUsize,
    /// The responses of which an HTTP/2 client is offered a piece.
    offered: AtomicUsize,
    is_last_response: AtomicBool,
    /// Bytes received since the last request or the beginning of its body.
    received: AtomicUsize,
    /// Bytes of the current piece that the client took.
    sent: AtomicUsize,
    is_ending: AtomicBool,
    has_hung_up: AtomicBool,
    tail: Mutex<Tail>,
    task: AtomicWaker,
}

impl Connection {
    /// The bytes of a response that a client has to take within the time limit.
    const PIECE: usize = 64 * 1024;

    /// The most bytes of the largest body on the wire: a chunk of one byte takes six.
    const BODY_WITH_CHUNKS: usize = 8 * BODY;

    /// The most requests at a time.
    const MOST_REQUESTS: usize = 128;

    /// The most time from a connection to its first request: next to nothing, except on a busy machine.
    const ARRIVAL: Duration = Duration::from_millis(250);

    /// The most time that a client may send after the last response.
    pub(crate) const CLOSING: Duration = Duration::from_secs(2);

    /// Creates the state of a new connection. All connections share the clock that started at `started`.
    pub(crate) fn new(timeouts: ConnectionTimeouts, started: Instant) -> Self {
        Self {
            timeouts,
            timer: PhaseTimer::new(started),
            is_multiplexed: AtomicBool::new(false),
            open_requests: AtomicUsize::new(0),
            offered: AtomicUsize::new(0),
            is_last_response: AtomicBool::new(false),
            received: AtomicUsize::new(0),
            sent: AtomicUsize::new(0),
            is_ending: AtomicBool::new(false),
            has_hung_up: AtomicBool::new(false),
            tail: Mutex::default(),
            task: AtomicWaker::new(),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        self.timer.get().phase
    }

    /// Notes that the protocol is HTTP/2.
    pub(crate) fn multiplex(&self) {
        self.is_multiplexed.store(true, Relaxed);
    }

    pub(crate) fn is_multiplexed(&self) -> bool {
        self.is_multiplexed.load(Relaxed)
    }

    /// Notes that the client has sent nothing so far, and is waited for.
    pub(crate) fn await_client(&self) {
        if self.phase() == Phase::New {
            self.timer.enter(Phase::Fresh);
        }
    }

    /// Notes bytes of a client. Returns true if they are more than any request has: the library does not count the bytes between
    /// chunks of a body, nor those between frames of HTTP/2.
    pub(crate) fn on_received(&self, bytes: usize) -> bool {
        match self.phase() {
            Phase::New | Phase::Fresh => self.timer.enter(Phase::Head),
            Phase::Idle if !self.is_multiplexed() => self.timer.enter(Phase::Head),
            _ => {}
        }
        self.received.fetch_add(bytes, Relaxed) + bytes > Self::BODY_WITH_CHUNKS
    }

    /// Returns true between requests: the next byte belongs to a head.
    pub(crate) fn is_at_head(&self) -> bool {
        matches!(self.phase(), Phase::New | Phase::Fresh | Phase::Head | Phase::Idle)
    }

    /// Returns true if the next request has to wait for the response to this one.
    pub(crate) fn is_answering(&self) -> bool {
        matches!(self.phase(), Phase::Work | Phase::Key | Phase::Sending)
    }

    /// Notes that a request is received. A client that sends too many at a time is disconnected.
    pub(crate) fn begin_request(&self) {
        self.received.store(0, Relaxed);
        self.timer.enter(Phase::Work);
        if self.open_requests.fetch_add(1, Relaxed) >= Self::MOST_REQUESTS {
            self.end();
        }
    }

    /// Notes that a response is complete, though perhaps not sent.
    pub(crate) fn end_request(&self) {
        let others = self.open_requests.fetch_sub(1, Relaxed) > 1;
        if self.is_multiplexed() {
            match (others, self.offered.load(Relaxed)) {
                (false, _) => self.timer.enter(Phase::Idle),
                (true, 0) => self.timer.enter(Phase::Work),
                // The time of a client that does not take the others goes on.
                (true, _) if self.phase() == Phase::Sending => {}
                (true, _) => self.timer.enter(Phase::Sending),
            }
        }
    }

    /// Receives a body; returns `None` if it does not arrive in time.
    pub(crate) async fn receive_body<T>(&self, body: impl Future<Output = T>) -> Option<T> {
        self.received.store(0, Relaxed);
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

    /// Notes that the last response was sent. Further input is discarded.
    pub(crate) fn close(&self) {
        self.timer.enter(Phase::Closing);
    }

    /// Counts bytes that the client took.
    pub(crate) fn on_sent(&self, bytes: usize) {
        if self.phase() == Phase::Sending && self.sent.fetch_add(bytes, Relaxed) + bytes >= Self::PIECE {
            self.sent.store(0, Relaxed);
            self.timer.enter(Phase::Sending);
        }
    }

    /// Returns the bytes that the stream writes after the head of the library.
    pub(crate) fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the client takes no more bytes for now.
    pub(crate) fn on_write_blocked(&self) {
        if !matches!(self.phase(), Phase::Sending | Phase::Closing) {
            self.sent.store(0, Relaxed);
            self.timer.enter(Phase::Sending);
        }
    }

    /// Notes that all written bytes are sent.
    pub(crate) fn on_flushed(&self) {
        let is_complete = self.open_requests.load(Relaxed) == 0;
        match self.phase() {
            Phase::Sending if !is_complete => self.timer.enter(Phase::Work),
            Phase::Sending | Phase::Work if is_complete && self.is_last_response.load(Relaxed) => self.close(),
            Phase::Sending | Phase::Work if is_complete => self.timer.enter(Phase::Idle),
            _ => {}
        }
    }

    /// Notes that a piece of a response is offered to an HTTP/2 client, which takes it when it opens its window. The time of a
    /// piece of another response that the client does not take goes on.
    pub(crate) fn on_offered(&self) {
        if self.is_multiplexed() && (self.offered.fetch_add(1, Relaxed) == 0 || self.phase() != Phase::Sending) {
            self.timer.enter(Phase::Sending);
        }
    }

    /// Notes that an HTTP/2 client took what it was offered of a response, or gave the response up.
    pub(crate) fn on_taken(&self) {
        if self.is_multiplexed() {
            self.received.store(0, Relaxed);
            if self.offered.fetch_sub(1, Relaxed) == 1 {
                self.timer.enter(Phase::Work);
            }
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

    /// Returns true if the connection is to be closed; otherwise the task is woken once it is.
    pub(crate) fn is_ending(&self, context: &Context<'_>) -> bool {
        self.task.register(context.waker());
        self.is_ending.load(Relaxed)
    }
}

#[cfg(test)]
impl Connection {
    pub(crate) const TIMEOUTS: ConnectionTimeouts = ConnectionTimeouts {
        head: Duration::from_secs(10),
        body: Duration::from_secs(30),
        answer: Duration::from_secs(30),
        idle: Duration::from_secs(75),
    };

    pub(crate) fn was_ended(&self) -> bool {
        self.is_ending.load(Relaxed)
    }

    /// Sets a phase that began at a millisecond.
    pub(crate) fn put(&self, phase: Phase, since: u64) {
        self.timer.set(phase, since);
    }
}

/// The draining state of a server that is about to stop. A draining server responds as before, reports that it is not ready,
/// and closes each connection after its next response, so that clients and load balancers move to another server.
#[derive(Debug, Default)]
pub struct Draining {
    is_begun: AtomicBool,
    begun: Notify,
}

impl Draining {
    pub fn begin(&self) {
        self.is_begun.store(true, Relaxed);
        self.begun.notify_waiters();
    }

    /// Returns true once the server drains.
    pub fn has_begun(&self) -> bool {
        self.is_begun.load(Relaxed)
    }

    /// Waits until the server drains.
    pub async fn begun(&self) {
        // Before the check: it receives a notification from here on.
        let begun = self.begun.notified();
        if !self.has_begun() {
            begun.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        Connection::new(Connection::TIMEOUTS, Instant::now())
    }

    #[test]
    fn a_connection_goes_from_request_to_request() {
        let connection = connection();
        assert_eq!(connection.phase(), Phase::New);
        connection.await_client();
        assert_eq!(connection.phase(), Phase::Fresh);
        for _ in 0..2 {
            connection.on_flushed();
            connection.on_received(1);
            assert_eq!(connection.phase(), Phase::Head);
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Head, "no response was sent");
            connection.begin_request();
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Work, "the response is not complete");
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending);
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Work);
            connection.end_request();
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending, "complete, but not sent");
            connection.on_flushed();
            assert_eq!(connection.phase(), Phase::Idle);
        }
        connection.begin_request();
        connection.close_after_response();
        connection.end_request();
        connection.on_flushed();
        assert_eq!(connection.phase(), Phase::Closing);
    }

    #[test]
    fn a_multiplexed_connection_waits_for_the_client_while_a_piece_is_offered() {
        let connection = connection();
        connection.multiplex();
        connection.on_received(1);
        for _ in 0..2 {
            connection.begin_request();
        }
        assert_eq!(connection.phase(), Phase::Work);
        connection.on_offered();
        assert_eq!(connection.phase(), Phase::Sending);
        connection.on_taken();
        assert_eq!(connection.phase(), Phase::Work);
        connection.end_request();
        assert_eq!(connection.phase(), Phase::Work, "the other response waits for the application");
        connection.end_request();
        connection.on_received(1);
        assert_eq!(connection.phase(), Phase::Idle, "a frame is no head");
    }

    #[test]
    fn an_untaken_piece_keeps_its_time_while_other_responses_are_taken() {
        let connection = connection();
        connection.multiplex();
        for _ in 0..2 {
            connection.begin_request();
        }
        connection.on_offered();
        connection.put(Phase::Sending, 7);
        connection.on_offered();
        connection.on_taken();
        assert_eq!(connection.waiting_since(), Some(7));
        connection.begin_request();
        connection.end_request();
        assert_eq!(connection.phase(), Phase::Sending, "an untaken piece is left");
        connection.on_taken();
        connection.end_request();
        assert_eq!(connection.phase(), Phase::Work, "an idle stream is open");
    }

    #[test]
    fn a_client_is_disconnected_at_too_many_requests_or_bytes_at_a_time() {
        let connection = connection();
        for _ in 0..Connection::MOST_REQUESTS {
            connection.begin_request();
        }
        assert!(!connection.was_ended() && !connection.on_received(Connection::BODY_WITH_CHUNKS));
        assert!(connection.on_received(1));
        connection.begin_request();
        assert!(connection.was_ended() && !connection.on_received(1));
    }

    #[test]
    fn only_a_whole_piece_of_a_response_extends_the_time_limit() {
        let connection = connection();
        connection.begin_request();
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
        let connection = Connection::new(Connection::TIMEOUTS, long_ago);
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
