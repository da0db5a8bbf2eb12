use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use sports_accounts::QuotaStatus;
use sports_ports::in_one_line;
use sports_ports::metering::{CountedCall, Meter};

/// Gives the call back where its answer is one that does not count, and writes the quota's headers.
pub(super) async fn settle(
    mut quota: QuotaStatus,
    counted: Option<CountedCall>,
    meter: &dyn Meter,
    (status, headers): (StatusCode, &mut HeaderMap),
) {
    if let (Some(call), false) = (counted, counts(status)) {
        match meter.give_back(call).await {
            Ok(used) => quota.used = used,
            Err(error) => {
                let causes = in_one_line(&error);
                tracing::warn!(causes, "a call that does not count could not be uncounted: {causes}");
            }
        }
    }
    write(&quota, headers);
}

/// Faults of ours, and answers that say nothing new or refuse the caller, are free.
fn counts(status: StatusCode) -> bool {
    let free =
        [StatusCode::NOT_MODIFIED, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !free.contains(&status)
}

fn write(quota: &QuotaStatus, headers: &mut HeaderMap) {
    let reset = quota.resets_at().timestamp().unsigned_abs();
    let mut insert = |name, value: HeaderValue| drop(headers.insert(HeaderName::from_static(name), value));
    insert("x-ratelimit-limit", quota.limit.into());
    insert("x-ratelimit-remaining", quota.remaining().into());
    insert("x-ratelimit-reset", reset.into());
    insert("x-ratelimit-tier", HeaderValue::from_static(quota.tier.code()));
}
