//! A clock that tests move.

use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};
use sports_ports::Clock;

/// Stands still until it is moved.
#[derive(Debug)]
pub struct ClockFake(Mutex<DateTime<Utc>>);

impl ClockFake {
    /// A clock showing an RFC 3339 instant.
    ///
    /// # Panics
    ///
    /// When `instant` does not read.
    #[must_use]
    pub fn at(instant: &str) -> Self {
        Self(Mutex::new(instant.parse().expect("an RFC 3339 instant")))
    }

    /// Sets the clock.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while moving it.
    pub fn set(&self, to: DateTime<Utc>) {
        *self.0.lock().expect("no other holder panicked") = to;
    }

    /// Moves the clock forward.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while moving it.
    pub fn advance(&self, by: TimeDelta) {
        *self.0.lock().expect("no other holder panicked") += by;
    }
}

impl Clock for ClockFake {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().expect("no other holder panicked")
    }
}
