use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{eastern_date, eastern_instant};

/// The Eastern time by which a day's data is promised.
pub const DAILY_DEADLINE: NaiveTime = match NaiveTime::from_hms_opt(10, 15, 0) {
    Some(time) => time,
    None => NaiveTime::MIN,
};

/// An Eastern day, with its deadline, at some instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlateDay {
    /// The Eastern date.
    pub date: NaiveDate,
    pub deadline: DateTime<Utc>,
    /// `true` after the deadline; `false` at the deadline itself.
    pub overdue: bool,
}

impl SlateDay {
    /// Returns the Eastern day of `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        let date = eastern_date(now);
        let deadline = eastern_instant(date, DAILY_DEADLINE);
        Self { date, deadline, overdue: now > deadline }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_is_a_quarter_past_ten_eastern_on_days_of_any_length() {
        let table = [
            ("2024-01-15T12:00:00Z", "2024-01-15T15:15:00+00:00"),
            ("2024-07-15T12:00:00Z", "2024-07-15T14:15:00+00:00"),
            ("2024-03-10T12:00:00Z", "2024-03-10T14:15:00+00:00"),
            ("2024-11-03T12:00:00Z", "2024-11-03T15:15:00+00:00"),
            ("2024-07-16T03:59:59Z", "2024-07-15T14:15:00+00:00"),
        ];
        for (now, deadline) in table {
            let day = SlateDay::at(now.parse().expect("an instant"));
            assert_eq!(day.deadline.to_rfc3339(), deadline, "{now}");
        }
    }

    #[test]
    fn a_day_is_overdue_once_its_deadline_has_passed() {
        let table = [("2024-07-15T14:14:59Z", false), ("2024-07-15T14:15:00Z", false), ("2024-07-15T14:15:01Z", true)];
        for (now, overdue) in table {
            assert_eq!(SlateDay::at(now.parse().expect("an instant")).overdue, overdue, "{now}");
        }
    }
}
