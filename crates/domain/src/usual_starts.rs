//! Usual start times, and the times that feeds write while a start is not known.

use chrono::{NaiveDate, NaiveTime, Timelike as _};

use crate::{GameKey, Sport, eastern_instant};

impl Sport {
    /// Returns the Eastern time of day at which a game without a known start may begin: the earliest usual hour of the
    /// league, at latest noon.
    pub const fn earliest_start(self) -> NaiveTime {
        let hour = match self {
            // Games in Europe.
            Self::Nfl => 9,
            Self::Ncaab => 11,
            Self::Mlb | Self::Nba | Self::Nhl | Self::Ncaaf => 12,
        };
        match NaiveTime::from_hms_opt(hour, 0, 0) {
            Some(time) => time,
            None => NaiveTime::MIN,
        }
    }

    /// Returns true for an Eastern start that feeds write while the start is not known: 00:00, 23:59 and, in mlb, 23:33,
    /// which is 03:33 in universal time. In standard time that is 22:33.
    pub fn is_placeholder(self, date: NaiveDate, time: NaiveTime) -> bool {
        match (time.hour(), time.minute()) {
            (0, 0) | (23, 59) => true,
            (23, 33) => self == Self::Mlb,
            (22, 33) => self == Self::Mlb && eastern_instant(date, time).hour() == 3,
            _ => false,
        }
    }
}

impl GameKey {
    /// Returns true if the start is one that feeds of the league write while the start is not known.
    pub fn has_placeholder(&self, sport: Sport) -> bool {
        self.time.is_some_and(|time| sport.is_placeholder(self.date, time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_times_of_the_eastern_clock_and_of_one_feed_in_universal_time() {
        let is_placeholder = |sport: Sport, start: &str| {
            let (date, time) = start.split_once(' ').expect("a date and a time");
            sport.is_placeholder(date.parse().expect(date), time.parse().expect(time))
        };
        for sport in Sport::ALL {
            for (start, expected) in [
                ("2026-08-07 00:00:00", true),
                ("2026-08-07 23:59:00", true),
                ("2026-08-07 23:33:00", sport == Sport::Mlb),
                // Clocks are five hours behind universal time in November.
                ("2026-11-03 22:33:00", sport == Sport::Mlb),
                ("2026-11-03 23:33:00", sport == Sport::Mlb),
                ("2026-08-07 22:33:00", false),
                ("2026-08-07 00:01:00", false),
                ("2026-08-07 23:58:00", false),
                ("2026-08-07 12:00:00", false),
            ] {
                assert_eq!(is_placeholder(sport, start), expected, "{sport} {start}");
            }
            assert!(sport.earliest_start() <= NaiveTime::from_hms_opt(12, 0, 0).expect("noon"), "{sport}");
        }
    }
}
