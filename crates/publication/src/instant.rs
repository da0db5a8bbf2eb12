//! The instant of a publication, and the checks of the clock that gives it.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use sports_domain::{OutOfReach, within_reach};

use crate::{Catalog, ClockSource};

/// The tolerated difference between the clocks of two machines that publish or model for one league.
pub(crate) const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// The error for a clock whose time cannot be a publication instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// The clock shows a year that no working machine's clock shows.
    #[error("it is {} by the clock here: expected a time {OutOfReach}; set the clock right", written(.clock))]
    OutOfReach {
        /// The time of the clock.
        clock: DateTime<Utc>,
    },
    /// The record is ahead of the clock.
    #[error(
        "it is {} by the clock here, but the newest entry of the record was published at {}: set the clock right, or \
         wait until that time has passed", written(.clock), written(.head)
    )]
    Behind {
        /// The time of the clock.
        clock: DateTime<Utc>,
        /// The publication instant of the newest entry.
        head: DateTime<Utc>,
    },
    /// The record was published by system clocks; an instant set by hand cannot be added to it.
    #[error(
        "this record is kept by the machines' own clocks, its newest entry since {}: a time set by hand (--as-of) cannot \
         add to it. Publish without it, or into another store", written(.head)
    )]
    SetAfterSystem {
        /// The publication instant of the newest entry.
        head: DateTime<Utc>,
    },
}

/// Parses an instant of RFC 3339; `None` for any other text, and for a leap second.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    // The library also reads the minus sign of typography, and a leap second as more than a thousand milliseconds.
    let instant = DateTime::parse_from_rfc3339(Some(text).filter(|text| text.is_ascii())?).ok()?.to_utc();
    (instant.timestamp_subsec_millis() < 1_000).then_some(instant)
}

fn written(instant: &DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Returns the publication instant of the entry after `head`, given `now` by a clock of this source. It is always later
/// than the previous entry, so that time never runs backward in a record. It decides which games have started.
///
/// # Errors
///
/// [`ClockError`] if the clock's time is out of reach, is more than five minutes behind the record, or is set by hand
/// while the record is kept by system clocks.
pub fn publishing_instant(
    now: DateTime<Utc>,
    source: ClockSource,
    head: Option<&Catalog>,
) -> Result<DateTime<Utc>, ClockError> {
    let now = within_reach(to_milliseconds(now)).map_err(|_| ClockError::OutOfReach { clock: now })?;
    let Some(Catalog { published_at: head, clock, .. }) = head.cloned() else { return Ok(now) };
    if source == ClockSource::Set && clock == ClockSource::System {
        return Err(ClockError::SetAfterSystem { head });
    }
    if now + CLOCK_LEEWAY < head {
        return Err(ClockError::Behind { clock: now, head });
    }
    Ok(now.max(head + TimeDelta::milliseconds(1)))
}

/// Truncates an instant to milliseconds, the precision of the log.
fn to_milliseconds(instant: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(instant.timestamp_millis()).unwrap_or(instant)
}
