use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sports_ports::{Clock, LEAD_TIMEOUT, Lead};

/// The machine's clock, or one that was set to an instant and ticks on from there, in microseconds.
///
/// A machine's clock that is set back holds the date where it is, until the clock has caught up or has been behind for
/// [`LEAD_TIMEOUT`].
#[derive(Debug)]
pub struct SystemClock {
    as_of: Option<DateTime<Utc>>,
    started: Instant,
    latest: AtomicI64,
    /// True while `behind_since` has a value: readings of a clock that was not set back take no lock.
    is_held: AtomicBool,
    /// The uptime at which the machine's clock was first found behind the latest date.
    behind_since: Mutex<Option<Duration>>,
}

/// The smallest difference that counts as set back, in microseconds. The machine has caught up with less in a moment, and
/// threads that read the clock together differ by as long as one of them is kept from running.
const NOTICED: i64 = 1_000_000;

impl SystemClock {
    /// Returns a clock that shows the machine's time.
    pub fn new() -> Self {
        Self::starting_at(None)
    }

    /// Returns a clock that shows `as_of` now and ticks on from there; without it, the machine's time.
    pub fn starting_at(as_of: Option<DateTime<Utc>>) -> Self {
        Self {
            as_of,
            started: machine_uptime(),
            latest: AtomicI64::new(i64::MIN),
            is_held: AtomicBool::new(false),
            behind_since: Mutex::new(None),
        }
    }

    /// Returns what the date would be if it had never been held, in microseconds.
    fn unheld(&self) -> i64 {
        self.as_of.map_or_else(machine_micros, |as_of| (as_of + self.uptime()).timestamp_micros())
    }

    /// Returns the date, and its lead where it is held; begins and ends the holding.
    fn held(&self) -> (i64, Option<Lead>) {
        let mut behind_since = self.behind_since.lock().unwrap_or_else(PoisonError::into_inner);
        // In this order: a date that another thread writes in between is no sign of a clock that was set back.
        let latest = self.latest.load(Ordering::Acquire);
        let (unheld, uptime) = (self.unheld(), self.uptime());
        let ahead = latest.saturating_sub(unheld);
        let since = if ahead < NOTICED { None } else { Some(behind_since.unwrap_or(uptime)) };
        let lasting = since.map(|since| uptime.saturating_sub(since));
        let is_over = lasting.is_none_or(|lasting| lasting >= LEAD_TIMEOUT);
        *behind_since = since.filter(|_| !is_over);
        self.is_held.store(!is_over, Ordering::Release);
        if !is_over {
            let ahead = Duration::from_micros(ahead.unsigned_abs());
            return (latest, lasting.map(|lasting| Lead { ahead, lasting }));
        }
        if lasting.is_some() {
            self.latest.store(unheld, Ordering::Release);
        }
        (self.latest.fetch_max(unheld, Ordering::AcqRel).max(unheld), None)
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        let unheld = self.unheld();
        let latest = self.latest.fetch_max(unheld, Ordering::AcqRel).max(unheld);
        let is_usual = latest.saturating_sub(unheld) < NOTICED && !self.is_held.load(Ordering::Acquire);
        let date = if is_usual { latest } else { self.held().0 };
        DateTime::from_timestamp_micros(date).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    fn lead(&self) -> Option<Lead> {
        self.now();
        if self.is_held.load(Ordering::Acquire) { self.held().1 } else { None }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the machine's clock; everything else uses the Clock port"
)]
fn machine_micros() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the machine's clock; everything else uses the Clock port"
)]
fn machine_uptime() -> Instant {
    Instant::now()
}

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

/// Returns the time zone of the machine: that of `TZ`, else of `/etc/localtime`; UTC if neither names a zone.
pub fn local_zone() -> Tz {
    let variable = std::env::var("TZ").ok();
    let link = std::fs::read_link("/etc/localtime").ok();
    zone(variable.as_deref(), link.as_deref())
}

fn zone(variable: Option<&str>, link: Option<&Path>) -> Tz {
    let named = variable.filter(|name| !name.is_empty()).map(|name| name.trim_start_matches(':'));
    let linked = || link?.to_str()?.split_once("zoneinfo/").map(|(_, name)| name);
    named.or_else(linked).and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
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

    /// Returns a clock that showed a date an hour ahead of the machine's.
    fn an_hour_ahead() -> (SystemClock, DateTime<Utc>) {
        let clock = SystemClock::new();
        let ahead = DateTime::from_timestamp_micros(machine_micros()).expect("an instant") + TimeDelta::hours(1);
        clock.latest.store(ahead.timestamp_micros(), Ordering::Relaxed);
        (clock, ahead)
    }

    /// Moves the moment back at which the machine was first found behind, as if time had passed since.
    fn wait(clock: &mut SystemClock, time: Duration) {
        clock.started -= time;
    }

    #[test]
    fn the_date_halts_and_the_uptime_goes_on_while_the_machine_is_behind() {
        let (clock, ahead) = an_hour_ahead();
        let uptime = clock.uptime();
        assert_eq!(clock.now(), ahead);
        while clock.uptime() == uptime {}
        assert_eq!(clock.now(), ahead);
        let lead = clock.lead().expect("it is ahead").ahead;
        assert!(lead > Duration::from_mins(59) && lead <= Duration::from_hours(1), "{lead:?}");
    }

    #[test]
    fn the_date_goes_back_once_the_machine_has_been_behind_for_ten_minutes() {
        let (mut clock, ahead) = an_hour_ahead();
        assert_eq!(clock.now(), ahead);
        wait(&mut clock, Duration::from_mins(9));
        assert_eq!(clock.now(), ahead);
        assert!(clock.lead().expect("it is ahead").lasting >= Duration::from_mins(9));
        wait(&mut clock, Duration::from_mins(1));
        assert!(within_a_minute(clock.now(), ahead - TimeDelta::hours(1)));
        assert_eq!(clock.lead(), None);
        let first = clock.now();
        while clock.now() == first {}
        assert!(clock.now() > first);
    }

    #[test]
    fn the_ten_minutes_begin_anew_after_the_machine_has_caught_up() {
        let (mut clock, ahead) = an_hour_ahead();
        assert_eq!(clock.now(), ahead);
        wait(&mut clock, LEAD_TIMEOUT / 2);
        clock.latest.store(machine_micros(), Ordering::Relaxed);
        assert_eq!((clock.now() < ahead, clock.lead()), (true, None));
        clock.latest.store(ahead.timestamp_micros(), Ordering::Relaxed);
        assert_eq!(clock.now(), ahead);
        wait(&mut clock, LEAD_TIMEOUT / 2);
        assert_eq!(clock.now(), ahead);
        wait(&mut clock, LEAD_TIMEOUT / 2);
        assert!(clock.now() < ahead);
    }

    #[test]
    fn the_variable_prevails_over_the_link_and_utc_is_the_default() {
        let link = Some(Path::new("/usr/share/zoneinfo/Europe/Berlin"));
        assert_eq!(zone(Some("America/Chicago"), link), Tz::America__Chicago);
        assert_eq!(zone(Some(":America/Chicago"), None), Tz::America__Chicago);
        assert_eq!((zone(None, link), zone(Some(""), link)), (Tz::Europe__Berlin, Tz::Europe__Berlin));
        assert_eq!((zone(None, None), zone(Some("nowhere"), link)), (Tz::UTC, Tz::UTC));
    }
}
