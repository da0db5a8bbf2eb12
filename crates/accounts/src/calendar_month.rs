use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use sports_domain::FormError;

/// A calendar month in UTC, the period of quotas and refreshes. Written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CalendarMonth {
    first_day: NaiveDate,
}

fn not_a_month(text: &str) -> FormError {
    FormError::new(format!("`{text}` is not a month: expected YYYY-MM"))
}

impl CalendarMonth {
    /// Returns the month that `now` is in.
    pub fn containing(now: DateTime<Utc>) -> Self {
        let today = now.date_naive();
        Self { first_day: today.with_day(1).unwrap_or(today) }
    }

    /// Returns its first instant.
    pub fn starts_at(self) -> DateTime<Utc> {
        self.first_day.and_time(chrono::NaiveTime::MIN).and_utc()
    }

    /// Returns the first instant after it, at which monthly counts restart.
    pub fn ends_at(self) -> DateTime<Utc> {
        self.next().starts_at()
    }

    pub fn next(self) -> Self {
        Self { first_day: self.first_day.checked_add_months(chrono::Months::new(1)).unwrap_or(self.first_day) }
    }

    pub fn previous(self) -> Self {
        Self { first_day: self.first_day.checked_sub_months(chrono::Months::new(1)).unwrap_or(self.first_day) }
    }
}

impl fmt::Display for CalendarMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first_day.format("%Y-%m"))
    }
}

impl FromStr for CalendarMonth {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || not_a_month(text);
        let (year, month) = text.split_once('-').ok_or_else(refuse)?;
        let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(year, 4) || !digits(month, 2) {
            return Err(refuse());
        }
        let (year, month) = (year.parse().map_err(|_| refuse())?, month.parse().map_err(|_| refuse())?);
        NaiveDate::from_ymd_opt(year, month, 1).map(|first_day| Self { first_day }).ok_or_else(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(instant: &str) -> DateTime<Utc> {
        instant.parse().expect("an instant")
    }

    #[test]
    fn a_month_runs_from_its_first_instant_to_the_next_ones_in_utc() {
        let table = [
            ("2026-11-01T00:00:00Z", "2026-11", "2026-12-01T00:00:00Z"),
            ("2026-11-30T23:59:59.999999Z", "2026-11", "2026-12-01T00:00:00Z"),
            // Still October in New York.
            ("2026-11-01T01:00:00+01:00", "2026-11", "2026-12-01T00:00:00Z"),
            ("2026-10-31T21:00:00-04:00", "2026-11", "2026-12-01T00:00:00Z"),
            ("2026-12-31T23:59:59Z", "2026-12", "2027-01-01T00:00:00Z"),
            ("2028-02-29T12:00:00Z", "2028-02", "2028-03-01T00:00:00Z"),
        ];
        for (now, month, end) in table {
            let found = CalendarMonth::containing(at(now));
            assert_eq!((found.to_string().as_str(), found.ends_at()), (month, at(end)), "{now}");
            assert_eq!(month.parse(), Ok(found));
            assert_eq!(found.next().previous(), found);
        }
    }

    #[test]
    fn anything_else_is_no_month() {
        for text in ["", "2026", "2026-13", "2026-00", "2026-1", "26-01", "2026-11-01", "+026-11"] {
            assert_eq!(text.parse::<CalendarMonth>(), Err(not_a_month(text)));
        }
    }
}
