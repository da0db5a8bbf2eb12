//! The format of instants on the command line and in answers.

use chrono::{DateTime, SecondsFormat, Utc};
use sports_domain::{OutOfReach, within_reach};
use sports_publication::parse_instant;

/// The error for a text that is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 instant, such as 2027-01-01T00:00:00Z, {OutOfReach}")]
pub struct NotAnInstant;

/// Parses an instant. A date alone is refused, since it has no offset, and so is a leap second, as in requests.
pub fn read(text: &str) -> Result<DateTime<Utc>, NotAnInstant> {
    within_reach(parse_instant(text).ok_or(NotAnInstant)?).map_err(|_| NotAnInstant)
}

/// Formats an instant as the API does: with `Z`, and with as many decimals of a second as needed.
pub fn written(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_has_a_time_and_an_offset() {
        assert_eq!(read("2027-01-01T02:00:00+02:00").map(written).as_deref(), Ok("2027-01-01T00:00:00Z"));
        for text in [
            "2027-01-01",
            "2027-01-01T00:00:00",
            "2016-12-31T23:59:60Z",
            "2024-01-07T00:30:00\u{2212}05:00",
            "tomorrow",
            "",
            "1899-12-31T23:59:59Z",
            "+262142-12-31T23:59:59Z",
        ] {
            assert_eq!(read(text), Err(NotAnInstant), "{text}");
        }
    }

    #[test]
    fn an_instant_is_written_with_the_decimals_it_needs() {
        for text in ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00.500Z", "2027-01-01T00:00:00.123456Z"] {
            assert_eq!(read(text).map(written).as_deref(), Ok(text));
        }
    }
}
