//! A clock that tests move.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sports_ports::Clock;

/// Does not move until a test moves it.
#[derive(Debug)]
pub struct ClockFake(Mutex<Reading>);

#[derive(Debug)]
struct Reading {
    date: DateTime<Utc>,
    uptime: Duration,
}

impl ClockFake {
    /// A clock showing an RFC 3339 instant.
    ///
    /// # Panics
    ///
    /// When `instant` does not read.
    #[must_use]
    pub fn at(instant: &str) -> Self {
        Self(Mutex::new(Reading { date: instant.parse().expect("an RFC 3339 instant"), uptime: Duration::ZERO }))
    }

    /// Sets the date, ahead or back; no time passes.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while moving it.
    pub fn set(&self, to: DateTime<Utc>) {
        self.reading().date = to;
    }

    /// Lets time pass.
    ///
    /// # Panics
    ///
    /// When `by` is below zero, or another test thread panicked while moving it.
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
