#![doc = include_str!("../README.md")]

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use sports_ports::Clock;

/// The machine's clock, moved by a fixed distance. It shows microseconds and never goes back.
#[derive(Debug)]
pub struct SystemClock {
    ahead: TimeDelta,
    latest: AtomicI64,
}

impl SystemClock {
    /// The machine's time as it is.
    #[must_use]
    pub const fn new() -> Self {
        Self { ahead: TimeDelta::zero(), latest: AtomicI64::new(i64::MIN) }
    }

    /// A clock that shows `as_of` now and ticks on from there; without it, the machine's time.
    #[must_use]
    pub fn starting_at(as_of: Option<DateTime<Utc>>) -> Self {
        let mut clock = Self::new();
        if let Some(as_of) = as_of {
            clock.ahead = as_of - machine_time();
        }
        clock
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        let shown = (machine_time() + self.ahead).timestamp_micros();
        let latest = self.latest.fetch_max(shown, Ordering::Relaxed).max(shown);
        DateTime::from_timestamp_micros(latest).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks the machine; everybody else asks the Clock port"
)]
fn machine_time() -> DateTime<Utc> {
    Utc::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within_a_minute(left: DateTime<Utc>, right: DateTime<Utc>) -> bool {
        (left - right).abs() < TimeDelta::minutes(1)
    }

    #[test]
    fn without_an_instant_it_shows_the_machines_time() {
        assert!(within_a_minute(SystemClock::starting_at(None).now(), machine_time()));
        assert!(within_a_minute(SystemClock::default().now(), machine_time()));
    }

    #[test]
    fn it_ticks_on_from_the_instant_it_was_set_to() {
        let as_of: DateTime<Utc> = "2024-11-24T15:00:00Z".parse().expect("an instant");
        let clock = SystemClock::starting_at(Some(as_of));
        let first = clock.now();
        assert!(first >= as_of && within_a_minute(first, as_of), "{first}");
        while clock.now() == first {}
        assert!(clock.now() > first);
    }

    #[test]
    fn it_stands_still_while_the_machine_is_behind() {
        let clock = SystemClock::new();
        let ahead = machine_time() + TimeDelta::hours(1);
        clock.latest.store(ahead.timestamp_micros(), Ordering::Relaxed);
        assert_eq!(clock.now().timestamp_micros(), ahead.timestamp_micros());
    }
}
