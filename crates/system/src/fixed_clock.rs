use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_ports::Clock;

/// A clock that does not advance, so that everything that a release has of the present is of one instant.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(pub DateTime<Utc>);

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }

    fn uptime(&self) -> Duration {
        Duration::ZERO
    }
}
