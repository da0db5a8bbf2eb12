use std::fmt;
use std::str::FromStr;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use sports_domain::{GameKey, Sport, eastern_instant};

/// The largest difference between two starts of one pairing that are one game, outside mlb.
pub const ONE_GAME: TimeDelta = TimeDelta::hours(12);
/// The difference from which two starts of one pairing are two games.
const TWO_GAMES: TimeDelta = TimeDelta::hours(36);
/// The least time between the starts of two games of a doubleheader. The closest real pair is 3 hours and 15 minutes apart.
pub(super) const DOUBLEHEADER: TimeDelta = TimeDelta::hours(3);

/// The start of a game on the Eastern clock: a date, and a time if known.
///
/// Its text is `2024-01-06 16:30:00` or `2024-01-06`; a list of starts separates them by `; `.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Start {
    pub date: NaiveDate,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

/// The distance between two starts of one pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// At most 12 hours, or the same date if a time is missing.
    Near,
    /// More than 12 and less than 36 hours, or neighbouring dates if a time is missing.
    Doubtful,
    /// 36 hours or more.
    Far,
}

impl Start {
    /// Returns the start in a game's key.
    pub const fn of(key: &GameKey) -> Self {
        Self { date: key.date, time: key.time }
    }

    /// Returns the distance to another start.
    pub fn distance(self, other: Self) -> Distance {
        // More than two days apart is far, whatever the clock changes.
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

    /// Returns true if two starts of two teams in a league are too close for two games: at most 12 hours or, in mlb, less
    /// than three.
    pub fn is_of_one_game(self, other: Self, sport: Sport) -> bool {
        match sport {
            Sport::Mlb => self == other || self.apart(other).is_some_and(|apart| apart < DOUBLEHEADER),
            _ => self.distance(other) == Distance::Near,
        }
    }

    /// Returns the absolute time between two starts; `None` if either time is unknown.
    pub fn apart(self, other: Self) -> Option<TimeDelta> {
        Some((eastern_instant(self.date, self.time?) - eastern_instant(other.date, other.time?)).abs())
    }

    /// Parses a list of starts; invalid entries are skipped.
    pub fn list(written: Option<&str>) -> impl Iterator<Item = Self> + '_ {
        written.into_iter().flat_map(|list| list.split("; ")).filter_map(|start| start.parse().ok())
    }

    /// Appends the start to a list, unless the list has it.
    pub fn add_to(self, list: &mut Option<String>) {
        if Self::list(list.as_deref()).any(|known| known == self) {
            return;
        }
        *list = Some(list.take().map_or_else(|| self.to_string(), |known| format!("{known}; {self}")));
    }

    /// Removes the start from a list.
    pub fn remove_from(self, list: &mut Option<String>) {
        let kept: Vec<_> =
            Self::list(list.as_deref()).filter(|known| *known != self).map(|it| it.to_string()).collect();
        *list = (!kept.is_empty()).then(|| kept.join("; "));
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
