use chrono::{DateTime, Duration, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use chrono_tz::America::New_York;

/// The Eastern calendar date at an instant.
#[must_use]
pub fn eastern_date(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&New_York).date_naive()
}

/// What the Eastern wall clock shows at an instant.
#[must_use]
pub fn eastern_reading(instant: DateTime<Utc>) -> NaiveDateTime {
    instant.with_timezone(&New_York).naive_local()
}

/// The instant of an Eastern wall-clock reading.
///
/// When clocks go back, an ambiguous reading means its first occurrence. When they go forward, a
/// skipped reading means the instant the clock would have shown it had it not been moved: 02:30
/// is 03:30 daylight time.
#[must_use]
pub fn eastern_instant(date: NaiveDate, time: NaiveTime) -> DateTime<Utc> {
    let reading = date.and_time(time);
    match New_York.from_local_datetime(&reading) {
        LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => instant.to_utc(),
        LocalResult::None => {
            // The gap is one hour, so an hour earlier the clock still read standard time.
            let before = New_York.from_local_datetime(&(reading - Duration::hours(1))).earliest();
            before.map_or_else(|| reading.and_utc(), |instant| instant.to_utc() + Duration::hours(1))
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
    fn a_late_game_belongs_to_its_eastern_date() {
        let instant = "2024-07-16T02:10:00Z".parse().expect("an instant");
        assert_eq!(eastern_date(instant).to_string(), "2024-07-15");
        assert_eq!(eastern_reading(instant).to_string(), "2024-07-15 22:10:00");
    }
}
