use std::ops::RangeInclusive;
use std::str::FromStr;

use chrono::TimeDelta;

/// A time before the start of a game, from a quarter of an hour to a week, in whole milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BeforeStart(TimeDelta);

/// The error for a text that is no time before a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number of hours from {first} to {last}", first = BeforeStart::HOURS.start(), last = BeforeStart::HOURS.end())]
pub struct NotBeforeStart;

impl BeforeStart {
    /// The permitted hours.
    pub const HOURS: RangeInclusive<f64> = 0.25..=168.0;

    /// Returns the time of so many hours.
    ///
    /// # Errors
    ///
    /// [`NotBeforeStart`] outside [`Self::HOURS`].
    pub fn of_hours(hours: f64) -> Result<Self, NotBeforeStart> {
        if !Self::HOURS.contains(&hours) {
            return Err(NotBeforeStart);
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most a week of milliseconds")]
        let milliseconds = (hours * 3_600_000.0).round() as i64;
        Ok(Self(TimeDelta::milliseconds(milliseconds)))
    }

    /// Returns the number of hours.
    pub fn hours(self) -> f64 {
        self.0.as_seconds_f64() / 3_600.0
    }

    /// Returns the duration.
    pub const fn get(self) -> TimeDelta {
        self.0
    }
}

impl Default for BeforeStart {
    /// Returns six hours.
    fn default() -> Self {
        Self(TimeDelta::hours(6))
    }
}

impl FromStr for BeforeStart {
    type Err = NotBeforeStart;

    /// Parses a number of hours.
    fn from_str(hours: &str) -> Result<Self, NotBeforeStart> {
        hours.parse().map_err(|_| NotBeforeStart).and_then(Self::of_hours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_before_a_start_is_a_quarter_of_an_hour_to_a_week() {
        for (hours, minutes) in [("0.25", 15), ("6", 360), ("1.5", 90), ("168", 10_080)] {
            assert_eq!(hours.parse().map(BeforeStart::get), Ok(TimeDelta::minutes(minutes)), "{hours}");
        }
        for hours in ["0", "0.24", "168.01", "-1", "NaN", "inf", "", "six", "6h"] {
            assert_eq!(hours.parse::<BeforeStart>(), Err(NotBeforeStart), "{hours}");
        }
        assert_eq!(NotBeforeStart.to_string(), "a number of hours from 0.25 to 168");
        assert_eq!(BeforeStart::default(), BeforeStart::of_hours(6.0).expect("hours"));
    }
}
