use chrono::{DateTime, Utc};

use crate::auth::{Caller, UncountedCaller};
use crate::codes::{Code, PlanCode, SubscriptionStatusCode, TierCode};
use crate::json::Unstored;
use crate::params::Params;
use crate::wire::wire;

wire! {
    /// The usage of the monthly quota.
    #[schema(as = QuotaUsage)]
    pub struct UsageResponse(caller: Caller) {
        let Caller { holder, quota, .. } = caller;
        let subscription = Code(holder.customer.subscription());

        /// Requests counted this calendar month (UTC).
        #[schema(example = 42)]
        monthly_requests: u64 = quota.used,
        /// The monthly quota, in requests; 0 without a subscription.
        #[schema(example = 200_000)]
        monthly_limit: u64 = quota.limit,
        /// Requests left this month.
        #[schema(example = 199_958)]
        requests_remaining: u64 = quota.remaining(),
        /// The level of access: `ai` with a subscription, else `free`.
        tier: TierCode = Code(quota.tier),
        /// The plan; null without a subscription.
        #[schema(required)]
        api_plan: Option<PlanCode> = holder.customer.api_plan().map(Code),
        /// The subscription's status.
        api_subscription_status: SubscriptionStatusCode = subscription,
        /// The same as `api_subscription_status`.
        subscription_status: SubscriptionStatusCode = subscription,
        /// The time at which the count resets: the first instant of the next calendar month (UTC).
        reset_date: DateTime<Utc> = quota.resets_at(),
    }
}

/// Show your usage
///
/// Requests are counted for the customer, across all keys, if they are answered with 2xx. This request is not counted,
/// and not refused when the month is used up; the limit per second applies to it, too. The same numbers are in the
/// `X-RateLimit-*` headers of every response.
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
    Unstored(UsageResponse::new(caller.0))
}
