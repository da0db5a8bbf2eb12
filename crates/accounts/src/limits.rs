use std::num::{NonZeroU32, NonZeroU64};

use crate::Tier;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_subscription_the_shown_limit_is_zero_and_months_are_unlimited() {
        let limits = Limits { monthly: NonZeroU64::new(200_000).expect("more than none"), per_second: NonZeroU32::MIN };
        assert_eq!((limits.monthly_of(Tier::Ai), limits.admitted_monthly(Tier::Ai)), (200_000, 200_000));
        assert_eq!((limits.monthly_of(Tier::Free), limits.admitted_monthly(Tier::Free)), (0, u64::MAX));
    }
}
