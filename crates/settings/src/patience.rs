use std::time::Duration;

/// How long a client is waited for before its connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the connection to its first byte, and from a request's first byte to the end of its head.
    pub head: Duration,
    /// From the end of a head to the end of the body.
    pub body: Duration,
    /// For each 64 KiB of an answer, and for what is left of it.
    pub answer: Duration,
    /// From an answer to the next request.
    pub idle: Duration,
}

impl Patience {
    /// The longest that any of them may be.
    pub const LONGEST: Duration = Duration::from_secs(90);
}
