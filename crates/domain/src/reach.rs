use chrono::Datelike;

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

#[cfg(test)]
mod tests {
    use chrono::{DateTime, NaiveDate, Utc};

    use super::*;

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
