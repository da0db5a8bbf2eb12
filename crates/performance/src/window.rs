use chrono::{Days, NaiveDate};

/// The length of the short window, in days.
pub const ONE_WEEK: u64 = 7;

/// The length of the long window, and of the window of each point of a rolling curve, in days.
pub const FOUR_WEEKS: u64 = 28;

/// A run of calendar days, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    first: NaiveDate,
    last: NaiveDate,
}

impl Window {
    /// Returns the `days` calendar days that end on `last`, including it.
    pub fn ending_on(last: NaiveDate, days: u64) -> Self {
        let first = last.checked_sub_days(Days::new(days.saturating_sub(1))).unwrap_or(NaiveDate::MIN);
        Self { first, last }
    }

    /// Returns `true` if a date is in the window.
    pub fn contains(&self, date: NaiveDate) -> bool {
        (self.first..=self.last).contains(&date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn seven_days_are_the_last_and_the_six_before_it() {
        let week = Window::ending_on(date("2024-03-03"), ONE_WEEK);
        assert!(week.contains(date("2024-02-26")) && week.contains(date("2024-03-03")));
        assert!(!week.contains(date("2024-02-25")) && !week.contains(date("2024-03-04")));
    }

    #[test]
    fn a_window_may_reach_back_to_the_first_date_of_the_calendar() {
        assert!(Window::ending_on(NaiveDate::MIN, FOUR_WEEKS).contains(NaiveDate::MIN));
    }
}
