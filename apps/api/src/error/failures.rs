use utoipa::IntoResponses;

use super::ErrorBody;

/// The refusals and failures that an operation documents beside its answer.
#[derive(Debug, IntoResponses)]
pub enum Failures {
    /// A parameter is malformed, repeated or not one this operation takes.
    #[response(status = 400)]
    BadRequest(ErrorBody),
    /// The key is missing, mistyped, unknown, expired or revoked.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "How to authenticate")))]
    Unauthorized(ErrorBody),
    /// The key is valid, but its customer has no active subscription, or does not own what is asked for.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// Nothing is there: nothing published for that sport, model type or date, or no such key.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The per-second limit, the monthly quota or the month's refreshes are used up.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
    /// A fault of the service.
    #[response(status = 500)]
    Internal(ErrorBody),
    /// Something the service depends on is away for the moment.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    Unavailable(ErrorBody),
}

/// The refusal of a page that would not belong to the first one.
#[derive(Debug, IntoResponses)]
pub enum SnapshotChanged {
    /// The season was published anew since the snapshot: start again from the first page.
    #[response(status = 409)]
    Conflict(ErrorBody),
}

/// The refusals and failures of an operation that asks for no key and no published data.
#[derive(Debug, IntoResponses)]
pub enum PublicFailures {
    /// A part of the path or a parameter is malformed, repeated or not one this operation takes.
    #[response(status = 400)]
    BadRequest(ErrorBody),
    /// This address has asked too often within a second.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
    /// A fault of the service.
    #[response(status = 500)]
    Internal(ErrorBody),
}
