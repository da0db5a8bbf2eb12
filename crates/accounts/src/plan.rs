use std::fmt;
use std::str::FromStr;

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

/// A word that is not a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a plan; known plans: {known}", known = Plan::ALL.map(Plan::code).join(", "))]
pub struct UnknownPlan(pub String);

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
    type Err = UnknownPlan;

    /// Parses a plan's code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|plan| plan.code().eq_ignore_ascii_case(raw))
            .ok_or_else(|| UnknownPlan(raw.to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
