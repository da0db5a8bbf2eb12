use std::fmt;
use std::str::FromStr;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use sports_domain::{GameKey, eastern_instant};

/// Two starts of one pairing at most this far apart are of one game, outside mlb.
pub const ONE_GAME: TimeDelta = TimeDelta::hours(12);
/// From here on two starts of one pairing are of two games.
const TWO_GAMES: TimeDelta = TimeDelta::hours(36);

/// The start of a game on the Eastern clock: a date, and a time where it is known.
///
/// It is written as `2024-01-06 16:30:00` or `2024-01-06`; a list of starts separates them by `; `.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Start {
    /// The date.
    pub date: NaiveDate,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

/// The distance between two starts of one pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// At most 12 hours, or the same date where a time is missing.
    Near,
    /// More than 12 and less than 36 hours, or neighbouring dates where a time is missing.
    Doubtful,
    /// 36 hours or more.
    Far,
}

impl Start {
    /// The start in a game's key.
    #[must_use]
    pub const fn of(key: &GameKey) -> Self {
        Self { date: key.date, time: key.time }
    }

    /// Returns the distance to another start.
    #[must_use]
    pub fn distance(self, other: Self) -> Distance {
        // No clock change makes two dates an hour nearer than this.
        let days = (self.date - other.date).num_days().abs();
        if days > 2 {
            return Distance::Far;
        }
        let Some(apart) = self.apart(other) else {
            return match days {
                0 => Distance::Near,
                1 => Distance::Doubtful,
                _ => Distance::Far,
            };
        };
        match apart {
            near if near <= ONE_GAME => Distance::Near,
            doubtful if doubtful < TWO_GAMES => Distance::Doubtful,
            _ => Distance::Far,
        }
    }

    /// Returns the time between two starts, without sign; `None` where either time is unknown.
    #[must_use]
    pub fn apart(self, other: Self) -> Option<TimeDelta> {
        Some((eastern_instant(self.date, self.time?) - eastern_instant(other.date, other.time?)).abs())
    }

    /// Returns the starts of a list; entries that are no starts are left out.
    pub fn list(written: Option<&str>) -> impl Iterator<Item = Self> + '_ {
        written.into_iter().flat_map(|list| list.split("; ")).filter_map(|start| start.parse().ok())
    }

    /// Adds the start to the end of a list, unless the list has it.
    pub fn add_to(self, list: &mut Option<String>) {
        if Self::list(list.as_deref()).any(|known| known == self) {
            return;
        }
        *list = Some(list.take().map_or_else(|| self.to_string(), |known| format!("{known}; {self}")));
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.date)?;
        self.time.map_or(Ok(()), |time| write!(f, " {time}"))
    }
}

impl FromStr for Start {
    type Err = chrono::ParseError;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        let (date, time) = written.split_once(' ').map_or((written, None), |(date, time)| (date, Some(time)));
        Ok(Self { date: date.parse()?, time: time.map(str::parse).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(written: &str) -> Start {
        written.parse().expect("a start")
    }

    #[test]
    fn distances_have_inclusive_and_exclusive_bounds() {
        let table = [
            ("2024-11-24 13:00:00", "2024-11-25 01:00:00", Distance::Near),
            ("2024-11-24 13:00:00", "2024-11-25 01:00:01", Distance::Doubtful),
            ("2024-11-24 13:00:00", "2024-11-26 00:59:59", Distance::Doubtful),
            ("2024-11-24 13:00:00", "2024-11-26 01:00:00", Distance::Far),
            ("2024-11-24", "2024-11-24 23:59:00", Distance::Near),
            ("2024-11-24", "2024-11-25 00:10:00", Distance::Doubtful),
            ("2024-11-24", "2024-11-26", Distance::Far),
            // Clocks go back on 3 November: the night has an hour more.
            ("2024-11-02 20:00:00", "2024-11-03 08:00:00", Distance::Doubtful),
        ];
        for (one, other, distance) in table {
            assert_eq!(start(one).distance(start(other)), distance, "{one} and {other}");
            assert_eq!(start(other).distance(start(one)), distance, "{other} and {one}");
        }
    }

    #[test]
    fn a_list_has_each_start_once_and_reads_back() {
        let mut list = None;
        for written in ["2024-11-24 13:00:00", "2024-11-25", "2024-11-24 13:00:00"] {
            start(written).add_to(&mut list);
        }
        assert_eq!(list.as_deref(), Some("2024-11-24 13:00:00; 2024-11-25"));
        let read: Vec<_> = Start::list(list.as_deref()).collect();
        assert_eq!(read, [start("2024-11-24 13:00:00"), start("2024-11-25")]);
    }
}
