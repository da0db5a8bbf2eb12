use chrono::{DateTime, Utc};

use crate::auth::{Caller, ProfileHolder};
use crate::codes::{Code, PlanCode, SubscriptionStatusCode, TierCode};
use crate::json::Unstored;
use crate::params::Params;
use crate::wire::wire;

wire! {
    /// A customer's account.
    #[schema(title = "Customer")]
    #[schema(as = CustomerAccount)]
    pub struct CustomerResponse(caller: Caller) {
        let Caller { holder, quota, .. } = caller;
        let customer = &holder.customer;
        let subscription = Code(customer.subscription());

        /// The id of this customer.
        #[schema(example = "cus_040g2081040g2081")]
        customer_id: String = customer.id.to_string(),
        /// Their email address.
        #[schema(example = "ann@example.com")]
        email: String = customer.email.to_string(),
        /// The customer's name.
        #[schema(example = "Ann Example")]
        name: String = customer.name.to_string(),
        /// The level of access: `ai` with a subscription of any plan, else `free`.
        tier: TierCode = Code(quota.tier),
        /// The plan, always reported as the plan that is sold today; null without a subscription.
        #[schema(required)]
        api_plan: Option<PlanCode> = customer.api_plan().map(Code),
        /// The subscription's status.
        api_subscription_status: SubscriptionStatusCode = subscription,
        /// The subscription's status: always equal to `api_subscription_status`.
        subscription_status: SubscriptionStatusCode = subscription,
        /// Requests counted this calendar month (UTC).
        #[schema(example = 42)]
        monthly_requests: u64 = quota.used,
        /// The monthly quota, in requests; 0 without a subscription.
        #[schema(example = 200_000)]
        monthly_limit: u64 = quota.limit,
        /// The time at which the account was opened.
        created_at: DateTime<Utc> = customer.created_at,
    }
}

/// Show your account
///
/// Your account, your plan and its usage. Open to every valid key, so that a customer can see that a subscription has
/// ended. The call is not counted and is never refused for the month; the limit per second applies.
#[utoipa::path(
    get, path = "/api/v1/customers/me",
    tag = "account",
    responses(
        (status = 200, description = "Your account", body = CustomerResponse, example = json!({
            "customer_id": "cus_040g2081040g2081", "email": "ann@example.com", "name": "Ann Example", "tier": "ai",
            "api_plan": "ai", "api_subscription_status": "active", "subscription_status": "active",
            "monthly_requests": 42, "monthly_limit": 200_000, "created_at": "2025-01-15T15:04:05Z"
        })),
    ),
)]
pub(super) async fn show_customer(caller: ProfileHolder, _params: Params<()>) -> Unstored<CustomerResponse> {
    Unstored(CustomerResponse::new(caller.0))
}
