use crate::CalendarMonth;

/// The number of dataset refreshes that a customer has in each calendar month.
pub const REFRESHES_A_MONTH: u32 = 8;

/// A customer's use of a month's refreshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshAllowance {
    /// Refreshes taken.
    pub used: u32,
    pub month: CalendarMonth,
}

impl RefreshAllowance {
    /// Returns the refreshes left.
    pub const fn remaining(&self) -> u32 {
        REFRESHES_A_MONTH.saturating_sub(self.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::second;

    #[test]
    fn a_month_has_eight_refreshes_and_never_fewer_than_none_left() {
        let month = CalendarMonth::containing(second(0));
        let left = [0, 1, 7, 8, 9].map(|used| RefreshAllowance { used, month }.remaining());
        assert_eq!(left, [8, 7, 1, 0, 0]);
    }
}
