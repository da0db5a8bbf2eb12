use std::str::FromStr;

use chrono::NaiveDate;
use sports_domain::FormError;

use crate::convert::tables::patterns::iso_date;

/// The beginning of the postseason, for files without game types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Postseason {
    /// Its first date.
    From(NaiveDate),
    /// The file has none.
    Absent,
}

impl FromStr for Postseason {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "none" {
            return Ok(Self::Absent);
        }
        iso_date(text)
            .map(Self::From)
            .ok_or_else(|| FormError::new(format!("`{text}` is neither a date as YYYY-MM-DD nor `none`")))
    }
}

impl Postseason {
    pub(crate) fn has(self, date: NaiveDate) -> bool {
        matches!(self, Self::From(first) if date >= first)
    }
}
