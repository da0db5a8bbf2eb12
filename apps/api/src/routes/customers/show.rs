use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::{Caller, UncountedCaller};
use crate::codes::{Code, PlanCode, SubscriptionStatusCode, TierCode};
use crate::json::Unstored;
use crate::params::Params;

/// A customer's account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "Customer")]
#[schema(as = CustomerAccount)]
pub struct CustomerResponse {
    /// The id of this customer.
    #[schema(example = "cus_040g2081040g2081")]
    customer_id: String,
    /// Their email address.
    #[schema(example = "ann@example.com")]
    email: String,
    /// The customer's name.
    #[schema(example = "Ann Example")]
    name: String,
    /// The level of access: `ai` with a subscription of any plan, else `free`.
    tier: TierCode,
    /// The plan, always reported as the plan that is sold today; null without a subscription.
    #[schema(required)]
    api_plan: Option<PlanCode>,
    /// The subscription's status.
    api_subscription_status: SubscriptionStatusCode,
    /// The subscription's status: always equal to `api_subscription_status`.
    subscription_status: SubscriptionStatusCode,
    /// Requests counted this calendar month (UTC).
    #[schema(example = 42)]
    monthly_requests: u64,
    /// The monthly quota, in requests; 0 without a subscription.
    #[schema(example = 200_000)]
    monthly_limit: u64,
    /// The time at which the account was opened.
    created_at: DateTime<Utc>,
}

impl From<Caller> for CustomerResponse {
    fn from(Caller { holder, quota, .. }: Caller) -> Self {
        let customer = &holder.customer;
        let subscription = Code(customer.subscription());
        Self {
            customer_id: customer.id.to_string(),
            email: customer.email.to_string(),
            name: customer.name.to_string(),
            tier: Code(quota.tier),
            api_plan: customer.api_plan().map(Code),
            api_subscription_status: subscription,
            subscription_status: subscription,
            monthly_requests: quota.used,
            monthly_limit: quota.limit,
            created_at: customer.created_at,
        }
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
pub(super) async fn show_customer(caller: UncountedCaller, _params: Params<()>) -> Unstored<CustomerResponse> {
    Unstored(caller.0.into())
}
