use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio::time::Instant;

/// The phase of a connection. In all but [`New`](Self::New) and [`Work`](Self::Work) the server waits for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its worker has not read from it yet; a request may be there.
    New,
    /// The first read found nothing.
    Fresh,
    /// A part of a head was received.
    Head,
    /// The application responds to a request.
    Work,
    /// The rest of a body is expected.
    Body,
    /// The key of the request is looked up. An unknown sender has no claim yet, so clients that guess keys can be evicted.
    Key,
    /// The client does not take the response.
    Sending,
    /// The response was sent, and the next request is expected.
    Idle,
    /// The last response was sent. Further input is discarded, so that the client can read that response.
    Closing,
}

impl Phase {
    pub(crate) const ALL: [Self; 9] = [
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

    /// Returns the label in metrics.
    pub(crate) const fn name(self) -> &'static str {
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

/// The phase of a connection and its beginning, in one atomic number that a worker writes and other threads read.
#[derive(Debug)]
pub(crate) struct PhaseTimer {
    /// The clock that all connections share.
    started: Instant,
    packed: AtomicU64,
}

/// A phase and the millisecond of its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhaseSince {
    pub(crate) phase: Phase,
    pub(crate) since: u64,
}

impl PhaseTimer {
    /// The number of bits of a phase.
    const PHASE_BITS: u32 = 4;

    /// The latest millisecond that fits beside a phase.
    pub(crate) const LATEST: u64 = u64::MAX >> Self::PHASE_BITS;

    /// Starts in [`Phase::New`]. Milliseconds count from `started`.
    pub(crate) fn new(started: Instant) -> Self {
        let timer = Self { started, packed: AtomicU64::new(0) };
        timer.enter(Phase::New);
        timer
    }

    /// Begins a phase.
    pub(crate) fn enter(&self, phase: Phase) {
        self.set(phase, self.now());
    }

    /// Sets a phase that began at a millisecond.
    pub(crate) fn set(&self, phase: Phase, since: u64) {
        self.packed.store(since << Self::PHASE_BITS | phase as u64, Relaxed);
    }

    /// Returns the phase and its beginning.
    pub(crate) fn get(&self) -> PhaseSince {
        let bits = self.packed.load(Relaxed);
        let phase = Phase::ALL.into_iter().find(|phase| *phase as u64 == bits & 0xF).unwrap_or(Phase::Work);
        PhaseSince { phase, since: bits >> Self::PHASE_BITS }
    }

    /// Returns the milliseconds since `since`.
    pub(crate) fn elapsed(&self, since: u64) -> u128 {
        u128::from(self.now().saturating_sub(since))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(Self::LATEST)
    }
}
