use chrono::NaiveDate;

/// Dates from one to another, both included; without an end where none is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DateSpan {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

/// The first date of a span is after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{from} is after {to}")]
pub struct BackwardSpan {
    /// The first date asked for.
    pub from: NaiveDate,
    /// The last one.
    pub to: NaiveDate,
}

impl DateSpan {
    /// # Errors
    ///
    /// [`BackwardSpan`] where `from` is after `to`.
    pub fn new(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<Self, BackwardSpan> {
        match from.zip(to) {
            Some((from, to)) if from > to => Err(BackwardSpan { from, to }),
            _ => Ok(Self { from, to }),
        }
    }

    /// The first date.
    #[must_use]
    pub const fn from(self) -> Option<NaiveDate> {
        self.from
    }

    /// The last date.
    #[must_use]
    pub const fn to(self) -> Option<NaiveDate> {
        self.to
    }

    /// Whether a date is before the first.
    #[must_use]
    pub fn begins_after(self, date: NaiveDate) -> bool {
        self.from.is_some_and(|from| date < from)
    }

    /// Whether a date is one of these.
    #[must_use]
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
