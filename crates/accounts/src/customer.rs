use chrono::{DateTime, Utc};

use crate::{CustomerId, CustomerName, Email, Plan, SubscriptionStatus, Tier};

/// A person or company with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The id, which no other customer has.
    pub id: CustomerId,
    /// The email address; no two customers share one.
    pub email: Email,
    pub name: CustomerName,
    /// The plan in force, if any.
    pub plan: Option<Plan>,
    /// The time at which the account was opened.
    pub created_at: DateTime<Utc>,
}

impl Customer {
    /// Returns the level of access: [`Tier::Free`] without a plan.
    pub fn tier(&self) -> Tier {
        self.plan.map_or(Tier::Free, Plan::tier)
    }

    /// Returns the plan as accounts show it: a former plan is shown as the plan sold today.
    pub const fn api_plan(&self) -> Option<Plan> {
        if self.plan.is_some() { Some(Plan::Ai) } else { None }
    }

    /// Returns the status of the subscription: active with any plan.
    pub const fn subscription(&self) -> SubscriptionStatus {
        if self.plan.is_some() { SubscriptionStatus::Active } else { SubscriptionStatus::Inactive }
    }

    /// Returns `true` if the customer may call routes that need a subscription.
    pub fn is_subscribed(&self) -> bool {
        self.subscription() == SubscriptionStatus::Active
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::a_customer;

    #[test]
    fn a_customer_without_a_plan_is_free_and_inactive() {
        let lapsed = a_customer().without_plan().build();
        assert_eq!((lapsed.tier(), lapsed.api_plan()), (Tier::Free, None));
        assert_eq!(lapsed.subscription(), SubscriptionStatus::Inactive);
        assert!(!lapsed.is_subscribed());
    }

    #[test]
    fn any_plan_is_an_active_subscription_reported_as_the_one_sold_today() {
        for plan in Plan::ALL {
            let customer = a_customer().on(plan).build();
            assert_eq!((customer.tier(), customer.api_plan()), (Tier::Ai, Some(Plan::Ai)), "{plan}");
            assert_eq!(customer.subscription(), SubscriptionStatus::Active);
            assert!(customer.is_subscribed());
        }
    }
}
