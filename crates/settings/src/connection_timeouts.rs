use std::time::Duration;

/// The timeouts for clients, after which a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// The time from the connection to its first byte, and from a request's first byte to the end of its head.
    pub head: Duration,
    /// The time from the end of a head to the end of the body.
    pub body: Duration,
    /// The time for each 64 KiB of a response, and for its remainder.
    pub answer: Duration,
    /// The time from a response to the next request.
    pub idle: Duration,
}

impl ConnectionTimeouts {
    /// The maximum of each timeout.
    pub const LONGEST: Duration = Duration::from_secs(90);
}
