use chrono::{
    DateTime, Datelike, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Timelike, Utc,
};
use chrono_tz::America::New_York;

use crate::FormError;

/// Returns the Eastern date at an instant. Before the first representable date it returns that date.
pub fn eastern_date(instant: DateTime<Utc>) -> NaiveDate {
    eastern_reading(instant).date()
}

/// Returns the Eastern date and time at an instant. Before the first representable date and time it returns these.
pub fn eastern_reading(instant: DateTime<Utc>) -> NaiveDateTime {
    let universal = instant.naive_utc();
    let offset = New_York.offset_from_utc_datetime(&universal).fix();
    // New York is behind universal time, so only the first representable date can be crossed.
    universal.checked_add_offset(offset).unwrap_or(NaiveDateTime::MIN)
}

/// Returns `true` for a time that Eastern clocks skip on that date, when they go forward.
pub fn is_skipped_in_eastern(date: NaiveDate, time: NaiveTime) -> bool {
    // Clocks go forward at 02:00. Most times need no look at the zone's rules.
    time.hour() == 2 && matches!(New_York.from_local_datetime(&date.and_time(time)), LocalResult::None)
}

/// Returns the instant of an Eastern date and time.
///
/// A time that occurs twice, when clocks go back, is its first occurrence. A time that is skipped, when clocks go
/// forward, is counted on from standard time: 02:30 is 03:30 daylight time. The last hours of the last representable
/// date are later than the last representable instant, and become that instant.
pub fn eastern_instant(date: NaiveDate, time: NaiveTime) -> DateTime<Utc> {
    let reading = date.and_time(time);
    match New_York.from_local_datetime(&reading) {
        LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => instant.to_utc(),
        LocalResult::None => {
            // The gap is one hour, so the time an hour earlier is in standard time.
            let hour = TimeDelta::hours(1);
            let before = reading.checked_sub_signed(hour);
            let before = before.and_then(|before| New_York.from_local_datetime(&before).earliest());
            let instant = before.and_then(|before| before.to_utc().checked_add_signed(hour));
            instant.unwrap_or(DateTime::<Utc>::MAX_UTC)
        }
    }
}

/// A range of dates, including both ends. Each end may be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct DateSpan {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

impl DateSpan {
    /// Creates a range; `None` leaves an end open.
    ///
    /// # Errors
    ///
    /// [`FormError`] if `from` is after `to`.
    pub fn new(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<Self, FormError> {
        match from.zip(to) {
            Some((from, to)) if from > to => Err(FormError::new(format!("{from} is after {to}"))),
            _ => Ok(Self { from, to }),
        }
    }

    /// Returns the first date, if any.
    pub const fn from(self) -> Option<NaiveDate> {
        self.from
    }

    /// Returns the last date, if any.
    pub const fn to(self) -> Option<NaiveDate> {
        self.to
    }

    /// Returns `true` if a date is before the range.
    pub fn begins_after(self, date: NaiveDate) -> bool {
        self.from.is_some_and(|from| date < from)
    }

    /// Returns `true` if a date is in the range.
    pub fn contains(self, date: NaiveDate) -> bool {
        !self.begins_after(date) && self.to.is_none_or(|to| date <= to)
    }
}

const FIRST_YEAR: i32 = 1900;

const LAST_YEAR: i32 = 2200;

/// The error for a date or an instant outside the supported years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("in the years {FIRST_YEAR} to {LAST_YEAR}")]
pub struct OutOfReach;

/// Checks that a date or an instant is in the years 1900 to 2200. The year of an instant is in universal time.
///
/// All dates from outside must pass this check, such as a command's clock and the log's entries. So code that adds
/// days or months cannot reach the end of the calendar.
///
/// # Errors
///
/// [`OutOfReach`], whose text ends a sentence such as `expected a date`.
pub fn within_reach<T: Datelike>(moment: T) -> Result<T, OutOfReach> {
    if (FIRST_YEAR..=LAST_YEAR).contains(&moment.year()) { Ok(moment) } else { Err(OutOfReach) }
}

/// The origin of the instant of a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ClockSource {
    /// The clock of the machine that published; the default for entries without a source.
    #[default]
    System,
    /// An instant that the publisher chose, to replay a day or to simulate one.
    Set,
}

impl ClockSource {
    /// Returns the word in the log: `system` or `set`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Set => "set",
        }
    }

    /// Returns the source with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::System, Self::Set].into_iter().find(|source| source.word() == word)
    }
}

/// Returns the digits of a date, `YYYY-MM-DD`, as it is displayed; `None` for a year that is displayed with a sign.
///
/// Formatting takes many times as long, and each row has a date.
pub fn date_digits(date: NaiveDate) -> Option<[u8; 10]> {
    let year = u32::try_from(date.year()).ok().filter(|year| *year <= 9999)?;
    let [[y1, y2], [y3, y4]] = [year / 100, year % 100].map(two_digits);
    let [[m1, m2], [d1, d2]] = [date.month(), date.day()].map(two_digits);
    Some([y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2])
}

/// Returns the digits of a time, `HH:MM:SS`, without its fraction; a leap second is the 60th.
pub fn time_digits(time: NaiveTime) -> [u8; 8] {
    // A leap second is a nanosecond beyond the last one of the 59th second.
    let second = time.second() + time.nanosecond() / 1_000_000_000;
    let [[h1, h2], [m1, m2], [s1, s2]] = [time.hour(), time.minute(), second].map(two_digits);
    [h1, h2, b':', m1, m2, b':', s1, s2]
}

/// Parses a date of exactly the form `YYYY-MM-DD`.
pub fn parse_date_digits(text: &str) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return None };
    let year = i32::try_from(100 * number(y1, y2)? + number(y3, y4)?).ok()?;
    NaiveDate::from_ymd_opt(year, number(m1, m2)?, number(d1, d2)?)
}

/// Parses a time of exactly the form `HH:MM:SS`, without leap seconds.
pub fn parse_time_digits(text: &str) -> Option<NaiveTime> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *text.as_bytes() else { return None };
    NaiveTime::from_hms_opt(number(h1, h2)?, number(m1, m2)?, number(s1, s2)?)
}

/// Returns the two digits of a number below 100.
fn two_digits(number: u32) -> [u8; 2] {
    [number / 10, number % 10].map(|digit| b"0123456789"[digit as usize])
}

/// Returns the number with these two digits.
fn number(tens: u8, ones: u8) -> Option<u32> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, NaiveDate, Utc};

    use super::*;

    fn at(date: &str, time: &str) -> String {
        eastern_instant(date.parse().expect("a date"), time.parse().expect("a time")).to_rfc3339()
    }

    #[test]
    fn winter_is_five_hours_behind_and_summer_four() {
        assert_eq!(at("2024-01-15", "13:00:00"), "2024-01-15T18:00:00+00:00");
        assert_eq!(at("2024-07-15", "13:00:00"), "2024-07-15T17:00:00+00:00");
    }

    #[test]
    fn a_skipped_time_counts_on_from_standard_time_and_a_repeated_time_is_the_first() {
        assert_eq!(at("2024-03-10", "02:30:00"), "2024-03-10T07:30:00+00:00");
        assert_eq!(at("2024-03-10", "03:30:00"), "2024-03-10T07:30:00+00:00");
        assert_eq!(at("2024-11-03", "01:30:00"), "2024-11-03T05:30:00+00:00");
    }

    #[test]
    fn an_instant_has_the_date_and_time_of_the_eastern_clock() {
        let reading = |instant: &str| eastern_reading(instant.parse().expect("an instant")).to_string();
        assert_eq!(reading("2026-11-22T00:00:00Z"), "2026-11-21 19:00:00");
        assert_eq!(reading("2024-07-16T02:10:00Z"), "2024-07-15 22:10:00");
    }

    #[test]
    fn the_ends_of_the_calendar_are_not_crossed() {
        assert_eq!(eastern_date(DateTime::<Utc>::MIN_UTC), NaiveDate::MIN);
        assert_eq!(eastern_reading(DateTime::<Utc>::MIN_UTC), NaiveDateTime::MIN);
        assert_eq!(eastern_date(DateTime::<Utc>::MAX_UTC), NaiveDate::MAX);
        let last = DateTime::<Utc>::MAX_UTC;
        for hour in 0..24 {
            let time = NaiveTime::from_hms_opt(hour, 30, 0).expect("a time");
            let instant = eastern_instant(NaiveDate::MAX, time);
            // Five hours behind on the last day of a year: 18:30 is 23:30, and 19:30 is after the last instant.
            assert_eq!(instant == last, hour >= 19, "{hour}: {instant}");
            assert!(eastern_instant(NaiveDate::MIN, time) > DateTime::<Utc>::MIN_UTC, "{hour}");
        }
    }

    #[test]
    fn a_late_game_belongs_to_its_eastern_date() {
        let instant = "2024-07-16T02:10:00Z".parse().expect("an instant");
        assert_eq!(eastern_date(instant).to_string(), "2024-07-15");
        assert_eq!(eastern_reading(instant).to_string(), "2024-07-15 22:10:00");
    }

    #[test]
    fn a_first_date_after_the_last_is_no_span() {
        let date = |day| NaiveDate::from_ymd_opt(2024, 9, day);
        let refused = DateSpan::new(date(3), date(2)).expect_err("no date");
        assert_eq!(refused.to_string(), "2024-09-03 is after 2024-09-02");
        assert!(DateSpan::new(date(2), date(2)).is_ok());
    }

    #[test]
    fn three_centuries_are_within_reach() {
        let reached = |text: &str| within_reach(text.parse::<DateTime<Utc>>().expect("an instant")).is_ok();
        assert!(reached("1900-01-01T00:00:00Z") && reached("2200-12-31T23:59:59.999Z"));
        for text in
            ["1899-12-31T23:59:59.999Z", "2201-01-01T00:00:00Z", "+262142-12-31T23:59:59Z", "-0001-01-01T00:00:00Z"]
        {
            assert!(!reached(text), "{text}");
        }
        assert_eq!(within_reach(NaiveDate::MAX), Err(OutOfReach));
        assert_eq!(OutOfReach.to_string(), "in the years 1900 to 2200");
    }
}
