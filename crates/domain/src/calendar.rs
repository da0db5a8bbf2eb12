use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::America::New_York;

/// The Eastern calendar date at an instant; the first date there is, at instants whose own would be before it.
#[must_use]
pub fn eastern_date(instant: DateTime<Utc>) -> NaiveDate {
    eastern_reading(instant).date()
}

/// What the Eastern wall clock shows at an instant; the first reading there is, at instants whose own would be
/// before it.
#[must_use]
pub fn eastern_reading(instant: DateTime<Utc>) -> NaiveDateTime {
    let universal = instant.naive_utc();
    let offset = New_York.offset_from_utc_datetime(&universal).fix();
    // New York is behind universal time, so only the beginning of time can be missed.
    universal.checked_add_offset(offset).unwrap_or(NaiveDateTime::MIN)
}

/// The instant of an Eastern wall-clock reading.
///
/// When clocks go back, an ambiguous reading means its first occurrence. When they go forward, a
/// skipped reading means the instant the clock would have shown it had it not been moved: 02:30
/// is 03:30 daylight time. The last hours of the last date there is are later than the last instant
/// there is, and mean that one.
#[must_use]
pub fn eastern_instant(date: NaiveDate, time: NaiveTime) -> DateTime<Utc> {
    let reading = date.and_time(time);
    match New_York.from_local_datetime(&reading) {
        LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => instant.to_utc(),
        LocalResult::None => {
            // The gap is one hour, so an hour earlier the clock still read standard time.
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
    fn a_skipped_reading_counts_on_from_standard_time_and_a_repeated_one_is_the_first() {
        assert_eq!(at("2024-03-10", "02:30:00"), "2024-03-10T07:30:00+00:00");
        assert_eq!(at("2024-03-10", "03:30:00"), "2024-03-10T07:30:00+00:00");
        assert_eq!(at("2024-11-03", "01:30:00"), "2024-11-03T05:30:00+00:00");
    }

    #[test]
    fn a_reading_is_what_the_wall_clock_shows() {
        let reading = |instant: &str| eastern_reading(instant.parse().expect("an instant")).to_string();
        assert_eq!(reading("2026-11-22T00:00:00Z"), "2026-11-21 19:00:00");
        assert_eq!(reading("2024-07-16T02:10:00Z"), "2024-07-15 22:10:00");
    }

    #[test]
    fn the_ends_of_time_are_not_crossed() {
        assert_eq!(eastern_date(DateTime::<Utc>::MIN_UTC), NaiveDate::MIN);
        assert_eq!(eastern_reading(DateTime::<Utc>::MIN_UTC), NaiveDateTime::MIN);
        assert_eq!(eastern_date(DateTime::<Utc>::MAX_UTC), NaiveDate::MAX);
        let last = DateTime::<Utc>::MAX_UTC;
        for hour in 0..24 {
            let time = NaiveTime::from_hms_opt(hour, 30, 0).expect("a time");
            let instant = eastern_instant(NaiveDate::MAX, time);
            // Five hours behind on the last day of a year: 18:30 is 23:30, and 19:30 is no more.
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
