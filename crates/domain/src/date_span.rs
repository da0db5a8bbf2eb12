use chrono::NaiveDate;

/// A range of dates, including both ends. Each end may be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DateSpan {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

/// The error for a range whose first date is after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{from} is after {to}")]
pub struct BackwardSpan {
    /// The first date.
    pub from: NaiveDate,
    /// The last date.
    pub to: NaiveDate,
}

impl DateSpan {
    /// Creates a range; `None` leaves an end open.
    ///
    /// # Errors
    ///
    /// [`BackwardSpan`] if `from` is after `to`.
    pub fn new(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<Self, BackwardSpan> {
        match from.zip(to) {
            Some((from, to)) if from > to => Err(BackwardSpan { from, to }),
            _ => Ok(Self { from, to }),
        }
    }

    /// Returns the first date, if any.
    pub const fn from(self) -> Option<NaiveDate> {
        self.from
    }

    /// Returns the last date, if any.
    pub const fn to(self) -> Option<NaiveDate> {
        self.to
    }

    /// Returns `true` if a date is before the range.
    pub fn begins_after(self, date: NaiveDate) -> bool {
        self.from.is_some_and(|from| date < from)
    }

    /// Returns `true` if a date is in the range.
    pub fn contains(self, date: NaiveDate) -> bool {
        !self.begins_after(date) && self.to.is_none_or(|to| date <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_date_after_the_last_is_no_span() {
        let date = |day| NaiveDate::from_ymd_opt(2024, 9, day);
        let refused = DateSpan::new(date(3), date(2)).expect_err("no date");
        assert_eq!(refused.to_string(), "2024-09-03 is after 2024-09-02");
        assert!(DateSpan::new(date(2), date(2)).is_ok());
    }
}
