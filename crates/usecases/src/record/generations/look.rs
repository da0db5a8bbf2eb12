use std::time::Duration;

use chrono::{DateTime, Utc};

/// The begin of a poll, by the date and by the uptime of the clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) date: DateTime<Utc>,
    pub(super) uptime: Duration,
}
