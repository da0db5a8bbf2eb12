//! The headers of one call: its id, the time of the service, and the caller's quota. The response cache leaves them out.

use std::cell::RefCell;

use actix_web::http::header::{DATE, HeaderMap, HeaderName, HeaderValue};
use chrono::{DateTime, Utc};
use sports_accounts::QuotaStatus;
use sports_telemetry::RequestId;

/// The header with the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static(RequestId::HEADER);

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const TIER: HeaderName = HeaderName::from_static("x-ratelimit-tier");

/// All headers of one call.
pub(crate) const CALL_HEADERS: [HeaderName; 6] = [REQUEST_ID, DATE, LIMIT, REMAINING, RESET, TIER];

/// Inserts the id of a request and the time of its response.
pub fn insert_id_and_date(headers: &mut HeaderMap, id: &RequestId, now: DateTime<Utc>) {
    headers.insert(REQUEST_ID, HeaderValue::from_str(id.as_str()).unwrap_or(HeaderValue::from_static("none")));
    headers.insert(DATE, date(now));
}

/// Inserts the headers about a customer's quota.
pub fn insert_quota(headers: &mut HeaderMap, quota: &QuotaStatus) {
    headers.insert(LIMIT, quota.limit.into());
    headers.insert(REMAINING, quota.remaining().into());
    headers.insert(RESET, quota.resets_at().timestamp().into());
    headers.insert(TIER, HeaderValue::from_static(quota.tier.code()));
}

/// Returns the value of `Date`. Each thread writes it once a second.
fn date(now: DateTime<Utc>) -> HeaderValue {
    thread_local! {
        static DATE: RefCell<(i64, HeaderValue)> = const { RefCell::new((i64::MIN, HeaderValue::from_static(""))) };
    }
    DATE.with_borrow_mut(|(second, value)| {
        if *second != now.timestamp()
            && let Ok(date) = HeaderValue::try_from(now.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
        {
            (*second, *value) = (now.timestamp(), date);
        }
        value.clone()
    })
}
