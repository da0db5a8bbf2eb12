use std::time::Duration;

use chrono::{DateTime, Utc};

/// A source of time, passed as an argument so that tests and the demo can control it.
///
/// # Contract
///
/// - The date may stand still or jump ahead when the machine's clock is set. It moves back only after the machine's
///   clock has been behind it for [`LEAD_TIMEOUT`] without interruption; until then [`lead`](Clock::lead) returns the
///   difference.
/// - The uptime advances evenly, independently of the date. Timeouts and durations are measured by it.
///
/// The test kit has no contract suite for this port: the promises concern the passage of time, which a suite could test
/// only by sleeping. The system clock has tests of its own; a clock controlled by tests shows any date they set,
/// including an earlier one.
pub trait Clock: Send + Sync {
    /// Returns the present instant, for months, days and timestamps.
    fn now(&self) -> DateTime<Utc>;

    /// Returns the time for which this clock has been running; only differences of two readings are meaningful.
    fn uptime(&self) -> Duration;

    /// Returns the lead of the date over the machine's clock, `None` while the date follows that clock.
    fn lead(&self) -> Option<Lead> {
        None
    }
}

/// The time for which a machine's clock is behind the date, without interruption, before the date goes back to it.
pub const LEAD_TIMEOUT: Duration = Duration::from_mins(10);

/// A date that does not advance, because the machine's clock is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// The difference of the date from the machine's clock.
    pub ahead: Duration,
    /// The time since the machine's clock was first found behind, by the uptime.
    pub lasting: Duration,
}
