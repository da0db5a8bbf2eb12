use actix_web::http::StatusCode;

/// Returns true for a status that counts. Faults of the service, refusals of the caller and 304 are free.
pub(super) fn is_billable(status: StatusCode) -> bool {
    let free =
        [StatusCode::NOT_MODIFIED, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !free.contains(&status)
}
