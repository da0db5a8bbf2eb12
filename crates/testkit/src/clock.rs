//! A clock that tests control.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sports_ports::Clock;

/// A clock that moves only when a test moves it.
#[derive(Debug)]
pub struct ClockFake(Mutex<Reading>);

#[derive(Debug)]
struct Reading {
    date: DateTime<Utc>,
    uptime: Duration,
}

impl ClockFake {
    /// Creates a clock that shows an RFC 3339 instant.
    ///
    /// # Panics
    ///
    /// Panics if `instant` is not valid.
    pub fn at(instant: &str) -> Self {
        Self(Mutex::new(Reading { date: instant.parse().expect("an RFC 3339 instant"), uptime: Duration::ZERO }))
    }

    /// Sets the date, forwards or backwards, without changing the uptime.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while moving the clock.
    pub fn set(&self, to: DateTime<Utc>) {
        self.reading().date = to;
    }

    /// Advances the date and the uptime.
    ///
    /// # Panics
    ///
    /// Panics if `by` is negative, or if another test thread panicked while moving the clock.
    pub fn advance(&self, by: TimeDelta) {
        let mut reading = self.reading();
        reading.date += by;
        reading.uptime += by.to_std().expect("time does not pass backwards");
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.0.lock().expect("no other holder panicked")
    }
}

impl Clock for ClockFake {
    fn now(&self) -> DateTime<Utc> {
        self.reading().date
    }

    fn uptime(&self) -> Duration {
        self.reading().uptime
    }
}
