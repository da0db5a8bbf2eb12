use std::time::Duration;

use chrono::{DateTime, Utc};

/// The time, as an argument: tests and the demo move it.
///
/// # Contract
///
/// - The date may halt or jump ahead when the machine's clock is set. It goes back only once the machine's clock has been
///   behind it for [`PATIENCE`] without interruption; until then [`lead`](Clock::lead) has the difference.
/// - The uptime goes on evenly whatever becomes of the date. What waits or lasts is measured by it.
///
/// There is no suite in the test kit: these promises are about time that passes, and a suite could only wait. The system's
/// clock has tests of its own; a clock that tests move shows what they set, also an earlier date.
pub trait Clock: Send + Sync {
    /// The instant it is now: for months, days and stamps.
    fn now(&self) -> DateTime<Utc>;

    /// For how long this clock has been running: for the time between two readings, and nothing else.
    fn uptime(&self) -> Duration;

    /// Returns the lead of the date over the machine's clock, `None` while the date follows that clock.
    fn lead(&self) -> Option<Lead> {
        None
    }
}

/// The time for which a machine's clock is behind the date, without interruption, before the date goes back to it.
pub const PATIENCE: Duration = Duration::from_mins(10);

/// A date that stands still, because the machine's clock is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// The difference of the date from the machine's clock.
    pub ahead: Duration,
    /// The time since the machine's clock was first found behind, by the uptime.
    pub lasting: Duration,
}
