use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::{Caller, UncountedCaller};
use crate::codes::{Code, PlanCode, SubscriptionStatusCode, TierCode};
use crate::json::Unstored;
use crate::params::Params;

/// The usage of the monthly quota.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuotaUsage)]
pub struct UsageResponse {
    /// Requests counted this calendar month (UTC).
    #[schema(example = 42)]
    monthly_requests: u64,
    /// The monthly quota, in requests; 0 without a subscription.
    #[schema(example = 200_000)]
    monthly_limit: u64,
    /// Requests left this month.
    #[schema(example = 199_958)]
    requests_remaining: u64,
    /// The level of access: `ai` with a subscription, else `free`.
    tier: TierCode,
    /// The plan; null without a subscription.
    #[schema(required)]
    api_plan: Option<PlanCode>,
    /// The subscription's status.
    api_subscription_status: SubscriptionStatusCode,
    /// The same as `api_subscription_status`.
    subscription_status: SubscriptionStatusCode,
    /// The time at which the count resets: the first instant of the next calendar month (UTC).
    reset_date: DateTime<Utc>,
}

impl From<Caller> for UsageResponse {
    fn from(Caller { holder, quota, .. }: Caller) -> Self {
        let subscription = Code(holder.customer.subscription());
        Self {
            monthly_requests: quota.used,
            monthly_limit: quota.limit,
            requests_remaining: quota.remaining(),
            tier: Code(quota.tier),
            api_plan: holder.customer.api_plan().map(Code),
            api_subscription_status: subscription,
            subscription_status: subscription,
            reset_date: quota.resets_at(),
        }
    }
}

/// Show your usage
///
/// Requests are counted for the customer, across all keys. This request and `customers/me` are not counted, and are
/// not refused when the month is used up; the limit per second applies to them, too. Not counted either are answers
/// with a fault of the service (5xx), without a change (304), and refusals (401, 403, 429). The same numbers are in
/// the `X-RateLimit-*` headers of every response.
#[utoipa::path(
    get, path = "/api/v1/customers/me/usage",
    tag = "account",
    responses(
        (status = 200, description = "Your usage this month", body = UsageResponse, example = json!({
            "monthly_requests": 42, "monthly_limit": 200_000, "requests_remaining": 199_958, "tier": "ai",
            "api_plan": "ai", "api_subscription_status": "active", "subscription_status": "active",
            "reset_date": "2025-02-01T00:00:00Z"
        })),
    ),
)]
pub(super) async fn show_usage(caller: UncountedCaller, _params: Params<()>) -> Unstored<UsageResponse> {
    Unstored(caller.0.into())
}
