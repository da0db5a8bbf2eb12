use chrono::{DateTime, Utc};

use crate::{CalendarMonth, Tier};

/// A customer's use of the monthly quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaStatus {
    /// The level of access.
    pub tier: Tier,
    /// The monthly limit; 0 without a subscription.
    pub limit: u64,
    /// Calls counted this month.
    pub used: u64,
    pub month: CalendarMonth,
}

impl QuotaStatus {
    /// Returns the calls left this month: zero if a lowered limit is exceeded.
    pub const fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Returns the time at which the count restarts.
    pub fn resets_at(&self) -> DateTime<Utc> {
        self.month.ends_at()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::second;

    #[test]
    fn the_remaining_quota_is_never_below_zero_and_resets_with_the_month() {
        let month = CalendarMonth::containing(second(0));
        let quota = |used| QuotaStatus { tier: Tier::Ai, limit: 200_000, used, month };
        let left = [0, 1, 200_000, 200_001].map(|used| quota(used).remaining());
        assert_eq!(left, [200_000, 199_999, 0, 0]);
        assert_eq!(quota(1).resets_at().to_rfc3339(), "2025-06-01T00:00:00+00:00");
    }
}
