use utoipa::IntoResponses;

use super::ErrorBody;

/// The refusal of a request that cannot be understood.
#[derive(Debug, IntoResponses)]
pub enum RequestRefused {
    /// A part of the path, a parameter or the body is malformed, repeated or not one this operation takes.
    #[response(status = 400)]
    BadRequest(ErrorBody),
}

/// The failure of an operation that can fail.
#[derive(Debug, IntoResponses)]
pub enum ServiceFault {
    /// A fault of the service.
    #[response(status = 500)]
    Internal(ErrorBody),
}

/// The refusal of a caller whose key does not let them in, and the failure where that cannot be found out.
#[derive(Debug, IntoResponses)]
pub enum KeyRefused {
    /// The key is missing, mistyped, unknown, expired or revoked.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "How to authenticate")))]
    Unauthorized(ErrorBody),
    /// The per-second limit, the monthly quota or the month's refreshes are used up, or this address has sent too many
    /// invalid keys within a second.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
    /// Something the service depends on is unavailable for the moment.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    Unavailable(ErrorBody),
}

/// The refusal of a valid key that does not give access to this.
#[derive(Debug, IntoResponses)]
pub enum NotEntitled {
    /// The key is valid, but its customer has no active subscription, or does not own what is asked for.
    #[response(status = 403)]
    Forbidden(ErrorBody),
}

/// The answer where nothing is published, or there is no such key.
#[derive(Debug, IntoResponses)]
pub enum NothingThere {
    /// Nothing is published for that sport, model type or date, or there is no such key.
    #[response(status = 404)]
    NotFound(ErrorBody),
}

/// The answer to a client that has the current one already.
#[derive(Debug, IntoResponses)]
pub enum Unchanged {
    /// The answer is still the one named in If-None-Match.
    #[response(status = 304)]
    NotModified,
}

/// The refusal of a part of a table. A part that is there, 206, is not described: beside it generated clients would take
/// every answer for one of two types.
#[derive(Debug, IntoResponses)]
pub enum PartOfATable {
    /// The table does not have the bytes that `Range` asked for.
    #[response(status = 416)]
    NotThere(ErrorBody),
}

/// The refusal of a body that no route would read.
#[derive(Debug, IntoResponses)]
pub enum BodyRefused {
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(ErrorBody),
    /// The body is larger than 64 KiB.
    #[response(status = 413)]
    TooLarge(ErrorBody),
    /// The body has a content encoding.
    #[response(status = 415)]
    Encoded(ErrorBody),
}

/// The refusal of a page that would not belong to the first one.
#[derive(Debug, IntoResponses)]
pub enum SnapshotChanged {
    /// The season was published anew since the snapshot, or this is no snapshot of it: start again from the first page.
    #[response(status = 409)]
    Conflict(ErrorBody),
}

/// The refusal of an address that asks without a key.
#[derive(Debug, IntoResponses)]
pub enum TooOften {
    /// This address has asked too often within a second.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
}
