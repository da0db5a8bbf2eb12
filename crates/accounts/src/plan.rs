use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_domain::FormError;

use crate::CalendarMonth;

/// A subscription plan. `data`, `basic` and `premium` are no longer sold, and give the same access as `ai`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Plan {
    /// The plan sold today.
    Ai,
    /// A former plan.
    Data,
    /// A former plan.
    Basic,
    /// A former plan.
    Premium,
}

fn unknown_plan(text: &str) -> FormError {
    FormError::new(format!("`{text}` is not a plan; known plans: {}", Plan::ALL.map(Plan::code).join(", ")))
}

impl Plan {
    /// Every plan, the current one first.
    pub const ALL: [Self; 4] = [Self::Ai, Self::Data, Self::Basic, Self::Premium];

    /// Returns the plan's code, such as `ai`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ai => "ai",
            Self::Data => "data",
            Self::Basic => "basic",
            Self::Premium => "premium",
        }
    }

    /// Returns the level of access, which is the same for all plans.
    pub const fn tier(self) -> Tier {
        match self {
            Self::Ai | Self::Data | Self::Basic | Self::Premium => Tier::Ai,
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Plan {
    type Err = FormError;

    /// Parses a plan's code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|plan| plan.code().eq_ignore_ascii_case(raw)).ok_or_else(|| unknown_plan(raw))
    }
}

/// A level of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Everything the service sells.
    Ai,
    /// A valid key without a subscription: the account's own pages and few others.
    Free,
}

impl Tier {
    /// Every level.
    pub const ALL: [Self; 2] = [Self::Ai, Self::Free];

    /// Returns the level's code: `ai` or `free`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ai => "ai",
            Self::Free => "free",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The status of a customer's subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubscriptionStatus {
    /// A subscription is in force.
    Active,
    /// No subscription is in force.
    Inactive,
}

impl SubscriptionStatus {
    /// Both statuses.
    pub const ALL: [Self; 2] = [Self::Active, Self::Inactive];

    /// Returns the status's code: `active` or `inactive`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }
}

impl fmt::Display for SubscriptionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The limits of a customer. They are the same for all customers of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls in a calendar month (UTC), with a subscription.
    pub monthly: NonZeroU64,
    /// Calls within any one second, with or without a subscription.
    pub per_second: NonZeroU32,
}

impl Limits {
    /// Returns the monthly limit that accounts and headers show: zero without a subscription.
    pub const fn monthly_of(&self, tier: Tier) -> u64 {
        match tier {
            Tier::Ai => self.monthly.get(),
            Tier::Free => 0,
        }
    }

    /// Returns the number of calls that are admitted in a month. Without a subscription few routes are open, and only
    /// the limit per second applies to them.
    pub const fn admitted_monthly(&self, tier: Tier) -> u64 {
        match tier {
            Tier::Ai => self.monthly.get(),
            Tier::Free => u64::MAX,
        }
    }
}

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
    fn every_plan_opens_the_ai_tier() {
        let table = [("ai", Plan::Ai), ("data", Plan::Data), ("basic", Plan::Basic), ("premium", Plan::Premium)];
        assert_eq!(table.len(), Plan::ALL.len());
        for (code, plan) in table {
            assert_eq!((plan.code(), plan.to_string().as_str(), plan.tier()), (code, code, Tier::Ai));
            assert_eq!(code.to_uppercase().parse(), Ok(plan));
        }
    }

    #[test]
    fn each_tier_and_each_subscription_status_has_a_code() {
        for (tier, code) in Tier::ALL.into_iter().zip(["ai", "free"]) {
            assert_eq!((tier.code(), tier.to_string().as_str()), (code, code));
        }
        for (status, code) in SubscriptionStatus::ALL.into_iter().zip(["active", "inactive"]) {
            assert_eq!((status.code(), status.to_string().as_str()), (code, code));
        }
    }

    #[test]
    fn an_unknown_plan_names_the_known() {
        let error = "gold".parse::<Plan>().expect_err("no such plan");
        assert_eq!(error.to_string(), "`gold` is not a plan; known plans: ai, data, basic, premium");
    }

    #[test]
    fn without_a_subscription_the_shown_limit_is_zero_and_months_are_unlimited() {
        let limits = Limits { monthly: NonZeroU64::new(200_000).expect("more than none"), per_second: NonZeroU32::MIN };
        assert_eq!((limits.monthly_of(Tier::Ai), limits.admitted_monthly(Tier::Ai)), (200_000, 200_000));
        assert_eq!((limits.monthly_of(Tier::Free), limits.admitted_monthly(Tier::Free)), (0, u64::MAX));
    }

    #[test]
    fn the_remaining_quota_is_never_below_zero_and_resets_with_the_month() {
        let month = CalendarMonth::containing(second(0));
        let quota = |used| QuotaStatus { tier: Tier::Ai, limit: 200_000, used, month };
        let left = [0, 1, 200_000, 200_001].map(|used| quota(used).remaining());
        assert_eq!(left, [200_000, 199_999, 0, 0]);
        assert_eq!(quota(1).resets_at().to_rfc3339(), "2025-06-01T00:00:00+00:00");
    }

    #[test]
    fn a_month_has_eight_refreshes_and_never_fewer_than_none_left() {
        let month = CalendarMonth::containing(second(0));
        let left = [0, 1, 7, 8, 9].map(|used| RefreshAllowance { used, month }.remaining());
        assert_eq!(left, [8, 7, 1, 0, 0]);
    }
}
