use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use sports_accounts::QuotaStatus;

/// Returns true for a status that counts. Faults of the service, refusals of the caller and 304 are free.
pub(super) fn is_billable(status: StatusCode) -> bool {
    let free =
        [StatusCode::NOT_MODIFIED, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !free.contains(&status)
}

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const TIER: HeaderName = HeaderName::from_static("x-ratelimit-tier");

/// Returns the headers about a customer's quota. Their names begin with `x-ratelimit-`, by which the response cache leaves them
/// out.
pub(crate) fn quota_headers(quota: &QuotaStatus) -> [(HeaderName, HeaderValue); 4] {
    [
        (LIMIT, quota.limit.into()),
        (REMAINING, quota.remaining().into()),
        (RESET, quota.resets_at().timestamp().into()),
        (TIER, HeaderValue::from_static(quota.tier.code())),
    ]
}
