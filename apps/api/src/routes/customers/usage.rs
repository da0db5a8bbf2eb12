use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use sports_accounts::KeyRecord;
use sports_ports::PortError;
use sports_ports::accounts::DailyCalls;
use tokio::time::timeout;

use crate::auth::{Caller, ProfileHolder};
use crate::codes::{Code, PlanCode, SubscriptionStatusCode, TierCode};
use crate::examples::SPARE_KEY;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// The usage of the monthly quota.
    #[schema(as = QuotaUsage)]
    pub struct UsageResponse(caller: Caller, since: NaiveDate, known: Option<(&[KeyRecord], &[DailyCalls])>) {
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
        /// The first day (UTC) of the three lists below, which end today: 31 days. The calls of other servers may be a minute late.
        since: NaiveDate = since,
        /// The counted requests of these days by key, oldest key first; keys without a request are left out. Null while the database
        /// does not answer.
        #[schema(required)]
        by_key: Option<Vec<KeyUsage>> = known.map(|(keys, calls)| by_key(keys, calls)),
        /// The counted requests of these days by operation, most first; null while the database does not answer.
        #[schema(required)]
        by_operation: Option<Vec<OperationUsage>> = known.map(|(_, calls)| by_operation(calls)),
        /// The counted requests of these days by day, oldest first; days without a request are left out. Null while the database does
        /// not answer.
        #[schema(required)]
        by_day: Option<Vec<DayUsage>> =
            known.map(|(_, calls)| summed(calls, |call| call.day).into_iter().map(DayUsage::new).collect()),
    }
}

wire! {
    /// The counted requests of a key.
    pub struct KeyUsage(key: &KeyRecord, calls: u64) {
        /// The masked key.
        #[schema(example = json!(SPARE_KEY))]
        api_key: String = key.masked.to_string(),
        /// The name given to the key.
        #[schema(example = "notebook")]
        name: String = key.name.to_string(),
        #[schema(example = 40)]
        requests: u64 = calls,
    }
}

wire! {
    /// The counted requests of an operation.
    pub struct OperationUsage(of: (&str, u64)) {
        /// The path of the operation, with the names of its parameters.
        #[schema(example = "/api/v1/odds/{sport}")]
        operation: String = of.0.to_owned(),
        #[schema(example = 40)]
        requests: u64 = of.1,
    }
}

wire! {
    /// The counted requests of a day.
    pub struct DayUsage(of: (NaiveDate, u64)) {
        /// The day, UTC.
        date: NaiveDate = of.0,
        #[schema(example = 40)]
        requests: u64 = of.1,
    }
}

fn summed<'c, Of: Ord>(calls: &'c [DailyCalls], of: impl Fn(&'c DailyCalls) -> Of) -> BTreeMap<Of, u64> {
    let mut sums = BTreeMap::new();
    for call in calls {
        *sums.entry(of(call)).or_default() += call.calls;
    }
    sums
}

fn by_key(keys: &[KeyRecord], calls: &[DailyCalls]) -> Vec<KeyUsage> {
    let sums = summed(calls, |call| call.key);
    keys.iter().filter_map(|key| Some(KeyUsage::new(key, *sums.get(&key.digest)?))).collect()
}

fn by_operation(calls: &[DailyCalls]) -> Vec<OperationUsage> {
    let mut sums: Vec<_> = summed(calls, |call| call.operation.as_str()).into_iter().collect();
    sums.sort_by_key(|(_, requests)| std::cmp::Reverse(*requests));
    sums.into_iter().map(OperationUsage::new).collect()
}

/// The time for which an answer waits for the database.
const PATIENCE: Duration = Duration::from_millis(500);

/// Show your usage
///
/// Requests are counted for the customer, across all keys, if they are answered with 2xx. This request is not counted,
/// and not refused when the month is used up; the limit per second applies to it, too. The same numbers are in the
/// `X-RateLimit-*` headers of every response. The requests of 31 days are listed by key, by operation and by day.
#[utoipa::path(
    get, path = "/api/v1/customers/me/usage",
    tag = "account",
    responses(
        (status = 200, description = "Your usage this month", body = UsageResponse, example = json!({
            "monthly_requests": 42, "monthly_limit": 200_000, "requests_remaining": 199_958, "tier": "ai",
            "api_plan": "ai", "api_subscription_status": "active", "subscription_status": "active",
            "reset_date": "2025-02-01T00:00:00Z", "since": "2024-12-16",
            "by_key": [{ "api_key": SPARE_KEY, "name": "notebook", "requests": 42 }],
            "by_operation": [
                { "operation": "/api/v1/odds/{sport}", "requests": 40 }, { "operation": "/api/v1/sports", "requests": 2 }
            ],
            "by_day": [{ "date": "2025-01-14", "requests": 20 }, { "date": "2025-01-15", "requests": 22 }]
        })),
    ),
)]
pub(super) async fn show_usage(caller: ProfileHolder, _params: Params<()>, state: State) -> Unstored<UsageResponse> {
    let customer = caller.0.holder.customer.id;
    let (keys, uses) = (Arc::clone(&state.callers.keys), Arc::clone(&state.callers.key_uses));
    let since = uses.first_day();
    // A task of its own loses no count where the answer does not wait for it: the quota is known without the database.
    let read =
        tokio::spawn(
            async move { Ok::<_, PortError>((keys.keys_of(customer).await?, uses.calls_of(customer).await?)) },
        );
    let known = timeout(PATIENCE, read).await.ok().and_then(Result::ok).and_then(Result::ok);
    let known = known.as_ref().map(|(keys, calls)| (keys.as_slice(), calls.as_slice()));
    Unstored(UsageResponse::new(caller.0, since, known))
}
