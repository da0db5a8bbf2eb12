use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, Utc};
use sports_ports::Clock;

/// The machine's clock, or one that was set to an instant and ticks on from there. It shows microseconds and never goes
/// back.
#[derive(Debug)]
pub struct SystemClock {
    as_of: Option<DateTime<Utc>>,
    started: Instant,
    latest: AtomicI64,
}

impl SystemClock {
    /// A clock that shows the machine's time.
    #[must_use]
    pub fn new() -> Self {
        Self::starting_at(None)
    }

    /// A clock that shows `as_of` now and ticks on from there; without it, the machine's time.
    #[must_use]
    pub fn starting_at(as_of: Option<DateTime<Utc>>) -> Self {
        Self { as_of, started: machine_uptime(), latest: AtomicI64::new(i64::MIN) }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        let shown = self.as_of.map_or_else(machine_micros, |as_of| (as_of + self.uptime()).timestamp_micros());
        let latest = self.latest.fetch_max(shown, Ordering::Relaxed).max(shown);
        DateTime::from_timestamp_micros(latest).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn uptime(&self) -> Duration {
        self.started.elapsed()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks the machine; everything else asks the Clock port"
)]
fn machine_micros() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks the machine; everything else asks the Clock port"
)]
fn machine_uptime() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn within_a_minute(left: DateTime<Utc>, right: DateTime<Utc>) -> bool {
        (left - right).abs() < TimeDelta::minutes(1)
    }

    #[test]
    fn a_clock_without_an_instant_shows_the_machines_time() {
        assert!(within_a_minute(
            SystemClock::starting_at(None).now(),
            DateTime::from_timestamp_micros(machine_micros()).expect("an instant")
        ));
        assert!(within_a_minute(
            SystemClock::default().now(),
            DateTime::from_timestamp_micros(machine_micros()).expect("an instant")
        ));
    }

    #[test]
    fn a_clock_ticks_on_from_the_instant_it_was_set_to() {
        let as_of: DateTime<Utc> = "2024-11-24T15:00:00Z".parse().expect("an instant");
        let clock = SystemClock::starting_at(Some(as_of));
        let first = clock.now();
        assert!(first >= as_of && within_a_minute(first, as_of), "{first}");
        while clock.now() == first {}
        assert!(clock.now() > first);
    }

    #[test]
    fn the_clock_halts_while_the_machine_is_behind() {
        let clock = SystemClock::new();
        let ahead = DateTime::from_timestamp_micros(machine_micros()).expect("an instant") + TimeDelta::hours(1);
        clock.latest.store(ahead.timestamp_micros(), Ordering::Relaxed);
        assert_eq!(clock.now().timestamp_micros(), ahead.timestamp_micros());
    }

    #[test]
    fn the_uptime_goes_on_while_the_date_halts() {
        let clock = SystemClock::new();
        clock.latest.store(
            (DateTime::from_timestamp_micros(machine_micros()).expect("an instant") + TimeDelta::hours(1))
                .timestamp_micros(),
            Ordering::Relaxed,
        );
        let (date, uptime) = (clock.now(), clock.uptime());
        while clock.uptime() == uptime {}
        assert!(clock.uptime() > uptime);
        assert_eq!(clock.now(), date);
    }
}
