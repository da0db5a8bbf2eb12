use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use sports_accounts::QuotaStatus;
use sports_ports::in_one_line;
use sports_ports::metering::{CountedCall, Meter};

use sports_telemetry::text::{put, put_digits};

/// Refunds the call if its status is not billable. Returns the quota after that.
pub(crate) async fn settled(
    mut quota: QuotaStatus,
    counted: Option<CountedCall>,
    meter: &dyn Meter,
    status: StatusCode,
) -> QuotaStatus {
    if let (Some(call), false) = (counted, counts(status)) {
        match meter.give_back(call).await {
            Ok(used) => quota.used = used,
            Err(error) => {
                let causes = in_one_line(&error);
                tracing::warn!(causes, "a call that is not billable could not be refunded: {causes}");
            }
        }
    }
    quota
}

/// Returns whether a status is billable. Faults of the service, 304 and refusals of the caller are free.
fn counts(status: StatusCode) -> bool {
    let free =
        [StatusCode::NOT_MODIFIED, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !free.contains(&status)
}

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const TIER: HeaderName = HeaderName::from_static("x-ratelimit-tier");

/// The headers with the state of a customer's quota.
pub(crate) const QUOTA: [HeaderName; 4] = [LIMIT, REMAINING, RESET, TIER];

/// Returns the headers whose values are numbers.
fn numbers(quota: &QuotaStatus) -> [(HeaderName, u64); 3] {
    let reset = quota.resets_at().timestamp().unsigned_abs();
    [(LIMIT, quota.limit), (REMAINING, quota.remaining()), (RESET, reset)]
}

/// Writes the headers as lines of a head.
pub(crate) fn write_lines(quota: &QuotaStatus, head: &mut Vec<u8>) {
    for (name, number) in numbers(quota) {
        put(head, &[name.as_str(), ": "]);
        put_digits(head, number, 1);
        put(head, &["\r\n"]);
    }
    put(head, &[TIER.as_str(), ": ", quota.tier.code(), "\r\n"]);
}

/// Inserts the headers into a map.
pub(super) fn write(quota: &QuotaStatus, headers: &mut HeaderMap) {
    for (name, number) in numbers(quota) {
        headers.insert(name, number.into());
    }
    headers.insert(TIER, HeaderValue::from_static(quota.tier.code()));
}
