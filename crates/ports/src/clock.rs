use chrono::{DateTime, Utc};

/// The time, as an argument: tests and the demo move it.
///
/// # Contract
///
/// - It never goes back.
pub trait Clock: Send + Sync {
    /// The instant it is now.
    fn now(&self) -> DateTime<Utc>;
}
