use chrono::{FixedOffset, NaiveDateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use sports_domain::eastern_reading;

/// The time zone of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Eastern,
    Utc,
    Named(Tz),
    Offset(FixedOffset),
}

impl Zone {
    /// Finds a zone by a word of schedules (`eastern`, `ET`, `UTC`), by an offset (`-05:00`) or by its name in the time
    /// zone database (`America/Chicago`).
    pub(crate) fn named(word: &str) -> Option<Self> {
        let zone = match word.to_ascii_lowercase().as_str() {
            // Schedules write EST all year round.
            "eastern" | "et" | "est" | "edt" | "america/new_york" | "us/eastern" => Self::Eastern,
            "utc" | "gmt" | "z" => Self::Utc,
            "central" | "ct" | "cst" | "cdt" => Self::Named(Tz::America__Chicago),
            "mountain" | "mt" | "mst" | "mdt" => Self::Named(Tz::America__Denver),
            "pacific" | "pt" | "pst" | "pdt" => Self::Named(Tz::America__Los_Angeles),
            _ => return word.parse().map(Self::Named).ok().or_else(|| offset(word).map(Self::Offset)),
        };
        Some(zone)
    }

    /// Returns the Eastern date and time of a date and time in the zone; `None` if the zone's clocks skip it. A time that
    /// occurs twice is its first occurrence.
    pub(crate) fn eastern(self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let instant = match self {
            Self::Eastern => return Some(local),
            Self::Utc => local.and_utc(),
            Self::Named(zone) => zone.from_local_datetime(&local).earliest()?.with_timezone(&Utc),
            Self::Offset(offset) => offset.from_local_datetime(&local).earliest()?.with_timezone(&Utc),
        };
        Some(eastern_reading(instant))
    }
}

/// Parses an offset from UTC: `+01:00`, `-0500` or `+00`.
pub(crate) fn offset(text: &str) -> Option<FixedOffset> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => digits.split_at_checked(2)?,
        5 => digits.split_once(':')?,
        _ => return None,
    };
    let number =
        |text: &str| (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<i32>().ok())?;
    let (hours, minutes) = (number(hours)?, number(minutes).filter(|minutes| *minutes < 60)?);
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_of_any_zone_has_the_date_and_time_of_the_eastern_clock() {
        for (zone, local, eastern) in [
            ("eastern", "2022-01-07T20:15:00", "2022-01-07 20:15:00"),
            ("EST", "2022-07-07T20:15:00", "2022-07-07 20:15:00"),
            ("UTC", "2021-09-10T00:20:00", "2021-09-09 20:20:00"),
            ("PT", "2021-10-10T22:10:00", "2021-10-11 01:10:00"),
            ("America/Phoenix", "2021-12-05T19:00:00", "2021-12-05 21:00:00"),
            ("Europe/London", "2021-10-10T14:30:00", "2021-10-10 09:30:00"),
            ("+01:00", "2021-10-10T14:30:00", "2021-10-10 09:30:00"),
            ("-0500", "2021-12-10T14:30:00", "2021-12-10 14:30:00"),
        ] {
            let read = Zone::named(zone).expect(zone).eastern(local.parse().expect(local)).expect(local);
            assert_eq!(read.to_string(), eastern, "{zone}");
        }
        for word in ["", "Chicago", "+1", "+25:00", "+01:60", "venue"] {
            assert_eq!(Zone::named(word), None, "{word}");
        }
    }

    #[test]
    fn a_time_that_clocks_skip_is_no_time() {
        let skipped = "2022-03-13T02:30:00".parse().expect("a time");
        assert_eq!(Zone::named("America/Chicago").expect("a zone").eastern(skipped), None);
    }
}
