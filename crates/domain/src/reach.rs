use chrono::Datelike;

const FIRST_YEAR: i32 = 1900;
const LAST_YEAR: i32 = 2200;

/// A date or an instant beyond the years that everything here lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("in the years {FIRST_YEAR} to {LAST_YEAR}")]
pub struct OutOfReach;

/// A date or an instant, if it lies in the years 1900 to 2200; an instant's year is that of universal time.
///
/// Whatever comes in from outside is held to it, a command's clock and a log's entries alike. So no code that adds
/// days or months has to think of the end of the calendar.
///
/// # Errors
///
/// [`OutOfReach`], which ends a sentence such as `expected a date`.
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
