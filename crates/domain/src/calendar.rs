use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::America::New_York;

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

#[cfg(test)]
mod tests {
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
}
