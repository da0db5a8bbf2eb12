//! When a publish happens, and whose clock says so.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use sports_domain::{OutOfReach, within_reach};

use crate::{Catalog, ClockSource};

/// How far the clocks of two machines that publish or model for one league may differ.
pub(crate) const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// Why nothing can be published at the time it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// No clock of a working machine shows that.
    #[error("it is {} by the clock here: expected a time {OutOfReach}; set the clock right", written(.clock))]
    OutOfReach {
        /// What the clock says.
        clock: DateTime<Utc>,
    },
    /// The record is ahead of the clock.
    #[error(
        "it is {} by the clock here, but the newest entry of the record was published at {}: set the clock right, or \
         wait until that time has passed", written(.clock), written(.head)
    )]
    Behind {
        /// What the clock says.
        clock: DateTime<Utc>,
        /// When the newest entry was published.
        head: DateTime<Utc>,
    },
    /// The record was published as it happened; a chosen time has no place in it.
    #[error(
        "this record is kept by the machines' own clocks, its newest entry since {}: a time set by hand (--as-of) cannot \
         add to it. Publish without it, or into another store", written(.head)
    )]
    SetAfterSystem {
        /// When the newest entry was published.
        head: DateTime<Utc>,
    },
}

fn written(instant: &DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The instant of the entry after `head`, when it is `now` by a clock of this source: always later than the entry
/// before, so that time never runs backward in a record. Which games have started is judged by it.
///
/// # Errors
///
/// [`ClockError`] when the clock shows a time out of reach, is more than five minutes behind the record, or is set by hand where the record
/// is not.
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

/// The log keeps milliseconds.
fn to_milliseconds(instant: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(instant.timestamp_millis()).unwrap_or(instant)
}
