use chrono::{DateTime, Utc};

use crate::{CalendarMonth, Tier};

/// Where a customer stands with the monthly quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The level of access.
    pub tier: Tier,
    /// Calls a month, 0 without a subscription.
    pub limit: u64,
    /// Calls counted this month.
    pub used: u64,
    /// Which month that is.
    pub month: CalendarMonth,
}

impl Standing {
    /// Calls left this month; never below zero, even where a limit was lowered.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// When the count starts anew.
    #[must_use]
    pub fn resets_at(&self) -> DateTime<Utc> {
        self.month.ends_at()
    }
}
