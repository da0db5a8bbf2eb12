use std::net::SocketAddr;
use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures::task::AtomicWaker;
use sports_settings::Patience;
use tokio::time::{Instant, timeout};

use sports_telemetry::RequestId;

/// What a connection is at. In all but [`New`](Self::New) and [`Work`](Self::Work) its client is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its worker did not come to look at it yet; a request may be there.
    New,
    /// There was nothing yet to receive.
    Fresh,
    /// Some of a head was received.
    Head,
    /// A request is being answered.
    Work,
    /// The rest of a request's body is to come.
    Body,
    /// Its key is looked up. Nothing is owed to a sender that is not known yet, so a client that guesses keys makes room.
    Key,
    /// The client does not take what is sent.
    Sending,
    /// The answer was sent, the next request is to come.
    Idle,
    /// The last answer was given. What the client still sends is thrown away, so that it gets to read that answer.
    Closing,
}

impl Phase {
    pub(super) const ALL: [Self; 9] = [
        Self::New,
        Self::Fresh,
        Self::Head,
        Self::Work,
        Self::Body,
        Self::Key,
        Self::Sending,
        Self::Idle,
        Self::Closing,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Fresh => "fresh",
            Self::Head => "head",
            Self::Work => "work",
            Self::Body => "body",
            Self::Key => "key",
            Self::Sending => "sending",
            Self::Idle => "idle",
            Self::Closing => "closing",
        }
    }
}

/// Where a connection was accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListenAddress(pub(crate) SocketAddr);

/// One connection: written by the worker it is on, read by the room, which makes place for others and ends those that take too long.
#[derive(Debug)]
pub(crate) struct Connection {
    patience: Patience,
    /// Milliseconds in [`At`] are counted from here.
    started: Instant,
    at: AtomicU64,
    answering: AtomicBool,
    last_answer: AtomicBool,
    /// Bytes that were sent, and how many of them before the client was last waited for.
    sent: AtomicU64,
    sent_before: AtomicU64,
    /// Bytes that came since a body was first waited for.
    of_body: AtomicU64,
    ended: AtomicBool,
    task: AtomicWaker,
    refused: OnceLock<RequestId>,
}

/// A phase and the millisecond it began in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct At {
    phase: Phase,
    since: u64,
}

impl At {
    /// How many bits the phase has.
    const PHASE: u32 = 4;

    /// The latest millisecond that fits beside a phase.
    const LATEST: u64 = u64::MAX >> Self::PHASE;

    const fn pack(self) -> u64 {
        self.since << Self::PHASE | self.phase as u64
    }

    fn unpack(bits: u64) -> Self {
        let phase = Phase::ALL.into_iter().find(|phase| *phase as u64 == bits & 0xF).unwrap_or(Phase::Work);
        Self { phase, since: bits >> Self::PHASE }
    }
}

impl Connection {
    /// How much of an answer a client takes within its time.
    const PIECE: u64 = 64 * 1024;

    /// The most bytes that the largest body there may be comes in: chunks of one byte take six.
    const BODY_WITH_CHUNKS: u64 = 8 * crate::limits::BODY as u64;

    /// How long a request takes at most to follow its connection: as good as nothing, but on a busy machine.
    const ARRIVING: Duration = Duration::from_millis(250);

    /// How many bytes of its request a client may still send after its last answer.
    const AFTER_THE_LAST_ANSWER: u64 = 16 * 1024 * 1024;

    /// How long a client may go on sending after its last answer.
    const CLOSING: Duration = Duration::from_secs(2);

    /// A connection that begins now, as a clock counts that was started once for all of them.
    pub(super) fn new(patience: Patience, started: Instant) -> Self {
        let connection = Self {
            patience,
            started,
            at: AtomicU64::new(0),
            answering: AtomicBool::new(false),
            last_answer: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            sent_before: AtomicU64::new(0),
            of_body: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            task: AtomicWaker::new(),
            refused: OnceLock::new(),
        };
        connection.enter(Phase::New);
        connection
    }

    fn enter(&self, phase: Phase) {
        self.at.store(At { phase, since: self.now() }.pack(), Relaxed);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(At::LATEST)
    }

    pub(super) fn phase(&self) -> Phase {
        At::unpack(self.at.load(Relaxed)).phase
    }

    /// Notes that some of a head was received.
    pub(super) fn begin_head(&self) {
        if self.is_at_rest() {
            self.enter(Phase::Head);
        }
    }

    /// Counts bytes received after a head. Returns true if they are more than any body takes: the library gives no account of
    /// what is between chunks.
    pub(super) fn is_too_much(&self, bytes: usize) -> bool {
        let most = match self.phase() {
            Phase::Body => Self::BODY_WITH_CHUNKS,
            Phase::Closing => Self::AFTER_THE_LAST_ANSWER,
            _ => return false,
        };
        let of_body = self.of_body.load(Relaxed) + bytes as u64;
        self.of_body.store(of_body, Relaxed);
        of_body > most
    }

    /// Whether nothing is received, answered or sent: the next byte begins a request.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.phase(), Phase::New | Phase::Fresh | Phase::Idle)
    }

    /// Notes a read that found nothing.
    pub(super) fn on_empty_read(&self) {
        if self.phase() == Phase::New {
            self.enter(Phase::Fresh);
        }
    }

    /// Notes that the application makes a response.
    pub(crate) fn begin_response(&self) {
        self.answering.store(true, Relaxed);
        self.enter(Phase::Work);
    }

    /// Notes that a response is made which the library does not see. It is nearly always sent at once, so the phase stays.
    pub(super) fn begin_cached(&self) {
        self.answering.store(true, Relaxed);
    }

    /// Notes that the admission of such a response's caller takes time. A lookup of a key has a phase of its own.
    pub(super) fn on_admission_pending(&self) {
        if self.is_at_rest() || self.phase() == Phase::Head {
            self.enter(Phase::Work);
        }
    }

    /// Notes that such a response is sent.
    pub(super) fn end_cached(&self) {
        self.answering.store(false, Relaxed);
        self.enter(Phase::Idle);
    }

    /// Notes that the last response was sent. Whatever the client still sends is discarded.
    pub(super) fn close(&self) {
        self.enter(Phase::Closing);
    }

    /// Waits for a request's body; none where it does not arrive in time.
    pub(crate) async fn awaiting_body<T>(&self, body: impl Future<Output = T>) -> Option<T> {
        self.of_body.store(0, Relaxed);
        self.enter(Phase::Body);
        let body = timeout(self.patience.body, body).await;
        self.enter(Phase::Work);
        body.ok()
    }

    /// Waits for what is known of a request's key. Keys that were seen lately are known at once.
    pub(crate) async fn looking_up_key<T>(&self, look_up: impl Future<Output = T>) -> T {
        let mut look_up = pin!(look_up);
        if let Poll::Ready(found) = futures::poll!(look_up.as_mut()) {
            return found;
        }
        self.enter(Phase::Key);
        let found = look_up.await;
        self.enter(Phase::Work);
        found
    }

    /// No further request is taken after this one.
    pub(crate) fn close_after_this(&self) {
        self.last_answer.store(true, Relaxed);
    }

    /// The answer is complete, but perhaps not sent.
    pub(super) fn end_response(&self) {
        self.answering.store(false, Relaxed);
        if self.last_answer.load(Relaxed) {
            self.enter(Phase::Closing);
        }
    }

    /// The client took some of what is sent.
    pub(super) fn sent(&self, bytes: usize) {
        let sent = self.sent.load(Relaxed) + bytes as u64;
        self.sent.store(sent, Relaxed);
        if self.phase() == Phase::Sending && sent - self.sent_before.load(Relaxed) >= Self::PIECE {
            self.sent_before.store(sent, Relaxed);
            self.enter(Phase::Sending);
        }
    }

    /// The client takes no more for now.
    pub(super) fn on_write_blocked(&self) {
        if !matches!(self.phase(), Phase::Sending | Phase::Closing) {
            self.sent_before.store(self.sent.load(Relaxed), Relaxed);
            self.enter(Phase::Sending);
        }
    }

    /// All there was to send is sent.
    pub(super) fn flushed(&self) {
        match (self.phase(), self.answering.load(Relaxed)) {
            (Phase::Sending, true) => self.enter(Phase::Work),
            (Phase::Sending | Phase::Work, false) => self.enter(Phase::Idle),
            _ => {}
        }
    }

    /// Whether its first request may be there, or on its way.
    pub(super) fn is_arriving(&self) -> bool {
        let At { phase, since } = At::unpack(self.at.load(Relaxed));
        let is_young = || u128::from(self.now().saturating_sub(since)) < Self::ARRIVING.as_millis();
        phase == Phase::New || phase == Phase::Fresh && is_young()
    }

    /// Since when its client is waited for, in milliseconds of a clock that all connections share; none while it is not.
    pub(super) fn waiting_since(&self) -> Option<u64> {
        let At { phase, since } = At::unpack(self.at.load(Relaxed));
        (phase != Phase::Work && !self.is_arriving()).then_some(since)
    }

    /// Whether the client was waited for too long. A body has its own timer, which answers.
    pub(super) fn is_overdue(&self) -> bool {
        let At { phase, since } = At::unpack(self.at.load(Relaxed));
        let longest = match phase {
            Phase::New | Phase::Work | Phase::Body | Phase::Key => return false,
            Phase::Fresh | Phase::Head => self.patience.head,
            Phase::Sending => self.patience.answer,
            Phase::Idle => self.patience.idle,
            Phase::Closing => Self::CLOSING,
        };
        u128::from(self.now().saturating_sub(since)) > longest.as_millis()
    }

    /// Has it closed by the worker it is on.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
        self.task.wake();
    }

    /// Whether it is to be closed. `waker` is woken once it is.
    pub(super) fn has_ended(&self, waker: &Waker) -> bool {
        self.task.register(waker);
        self.ended.load(Relaxed)
    }

    /// Whether it is to be closed, for those that need no waking.
    pub(super) fn is_ending(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// Under which id the library's own refusal was sent.
    pub(super) fn refused(&self) -> &OnceLock<RequestId> {
        &self.refused
    }
}

#[cfg(test)]
impl Connection {
    /// As if this phase had begun so many milliseconds after the first connection.
    pub(super) fn put(&self, phase: Phase, since: u64) {
        self.at.store(At { phase, since }.pack(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience {
        head: Duration::from_secs(10),
        body: Duration::from_secs(30),
        answer: Duration::from_secs(30),
        idle: Duration::from_secs(75),
    };

    fn connection() -> Connection {
        Connection::new(PATIENCE, Instant::now())
    }

    #[test]
    fn a_connection_goes_from_request_to_request() {
        let connection = connection();
        assert_eq!(connection.phase(), Phase::New);
        connection.on_empty_read();
        assert_eq!(connection.phase(), Phase::Fresh);
        for _ in 0..2 {
            connection.flushed();
            connection.begin_head();
            connection.begin_head();
            assert_eq!(connection.phase(), Phase::Head);
            connection.flushed();
            assert_eq!(connection.phase(), Phase::Head, "nothing was answered");
            connection.begin_response();
            connection.flushed();
            assert_eq!(connection.phase(), Phase::Work, "there is more to answer");
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending);
            connection.flushed();
            assert_eq!(connection.phase(), Phase::Work);
            connection.end_response();
            connection.on_write_blocked();
            assert_eq!(connection.phase(), Phase::Sending, "complete, but not sent");
            connection.flushed();
            assert_eq!(connection.phase(), Phase::Idle);
        }
        connection.begin_head();
        connection.begin_response();
        connection.close_after_this();
        connection.end_response();
        connection.flushed();
        assert_eq!(connection.phase(), Phase::Closing);
    }

    #[test]
    fn only_a_piece_of_an_answer_gives_its_reader_more_time() {
        let connection = connection();
        connection.begin_response();
        connection.sent(1 << 30);
        connection.on_write_blocked();
        connection.put(Phase::Sending, 7);
        connection.sent(64 * 1024 - 1);
        connection.on_write_blocked();
        assert_eq!(connection.waiting_since(), Some(7));
        connection.put(Phase::Sending, At::LATEST);
        connection.sent(1);
        assert!(connection.waiting_since() < Some(At::LATEST), "time begins anew");
    }

    #[tokio::test]
    async fn a_connection_is_overdue_after_the_time_of_its_phase_and_never_at_work() {
        let long_ago = Instant::now().checked_sub(Duration::from_mins(2)).expect("a machine that is up for minutes");
        let connection = Connection::new(PATIENCE, long_ago);
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
