use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use sports_accounts::QuotaStatus;
use sports_telemetry::text::put_digits;

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

/// Calls `write` with each header about a customer's quota. Names begin with `x-ratelimit-`, by which the response cache
/// leaves them out.
pub(crate) fn write_headers(quota: &QuotaStatus, mut write: impl FnMut(HeaderName, &str)) {
    let reset = quota.resets_at().timestamp().unsigned_abs();
    let mut digits = Vec::with_capacity(20);
    for (name, number) in [(LIMIT, quota.limit), (REMAINING, quota.remaining()), (RESET, reset)] {
        digits.clear();
        put_digits(&mut digits, number, 1);
        write(name, str::from_utf8(&digits).unwrap_or_default());
    }
    write(TIER, quota.tier.code());
}

/// Inserts the headers about a quota into those of a response.
pub(super) fn insert_headers(quota: &QuotaStatus, headers: &mut HeaderMap) {
    write_headers(quota, |name, value| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    });
}
