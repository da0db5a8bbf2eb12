use std::str::FromStr;

use chrono::NaiveDate;

use crate::convert::tables::patterns::iso_date;

/// The beginning of the postseason, for files without game types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Postseason {
    /// Its first date.
    From(NaiveDate),
    /// The file has none.
    Absent,
}

/// The error for a text that is no beginning of a postseason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a date as YYYY-MM-DD nor `none`")]
pub struct NotAPostseason(String);

impl FromStr for Postseason {
    type Err = NotAPostseason;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "none" {
            return Ok(Self::Absent);
        }
        iso_date(text).map(Self::From).ok_or_else(|| NotAPostseason(text.to_owned()))
    }
}

impl Postseason {
    pub(crate) fn has(self, date: NaiveDate) -> bool {
        matches!(self, Self::From(first) if date >= first)
    }
}
