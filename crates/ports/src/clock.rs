use std::time::Duration;

use chrono::{DateTime, Utc};

/// The time, as an argument: tests and the demo move it.
///
/// # Contract
///
/// - The date never goes back, but it may halt or jump ahead when the machine's clock is set.
/// - The uptime goes on evenly whatever becomes of the date. What waits or lasts is measured by it.
///
/// There is no suite in the test kit: these promises are about time that passes, and a suite could only wait. The system's
/// clock has tests of its own; a clock that tests move shows what they set, also an earlier date.
pub trait Clock: Send + Sync {
    /// The instant it is now: for months, days and stamps.
    fn now(&self) -> DateTime<Utc>;

    /// For how long this clock has been running: for the time between two readings, and nothing else.
    fn uptime(&self) -> Duration;
}
