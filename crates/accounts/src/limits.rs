use std::num::{NonZeroU32, NonZeroU64};

use crate::Tier;

/// How much one customer may ask. All customers of a plan have the same limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls a calendar month (UTC) with a subscription.
    pub monthly: NonZeroU64,
    /// Calls within any one second, with a subscription or without.
    pub per_second: NonZeroU32,
}

impl Limits {
    /// The monthly limit that accounts and headers show: nothing is sold without a subscription.
    #[must_use]
    pub const fn monthly_of(&self, tier: Tier) -> u64 {
        match tier {
            Tier::Ai => self.monthly.get(),
            Tier::Free => 0,
        }
    }

    /// How many calls a month are admitted. Without a subscription few routes are open, and on those only the
    /// limit per second holds.
    #[must_use]
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
    fn without_a_subscription_nothing_is_sold_and_no_month_is_counted() {
        let limits = Limits { monthly: NonZeroU64::new(200_000).expect("more than none"), per_second: NonZeroU32::MIN };
        assert_eq!((limits.monthly_of(Tier::Ai), limits.admitted_monthly(Tier::Ai)), (200_000, 200_000));
        assert_eq!((limits.monthly_of(Tier::Free), limits.admitted_monthly(Tier::Free)), (0, u64::MAX));
    }
}
