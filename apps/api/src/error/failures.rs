use utoipa::IntoResponses;

use super::ErrorBody;

/// The refusal of a request that cannot be understood.
#[derive(Debug, IntoResponses)]
pub enum RequestRefused {
    /// A part of the path, a parameter or the body is malformed or repeated, or is not part of this operation.
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

/// The refusal of a caller without a valid key, and the failure to check the key.
#[derive(Debug, IntoResponses)]
pub enum KeyRefused {
    /// The key is missing, mistyped, unknown, expired or revoked.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "The method of authentication")))]
    Unauthorized(ErrorBody),
    /// The per-second limit, the monthly quota or the month's refreshes are used up, or this address has sent too many
    /// invalid keys within a second.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
    /// A dependency of the service is temporarily unavailable.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    Unavailable(ErrorBody),
}

/// The failure of a public operation that reads the store.
#[derive(Debug, IntoResponses)]
pub enum DependencyDown {
    /// The store does not answer.
    #[response(status = 503, description = "A dependency of the service is temporarily unavailable",
        headers(("Retry-After" = u64, description = "Seconds to wait")))]
    Unavailable(ErrorBody),
}

/// The refusal of a valid key that does not give access to the resource.
#[derive(Debug, IntoResponses)]
pub enum NotEntitled {
    /// The key is valid, but its customer has no active subscription, or does not own the resource.
    #[response(status = 403)]
    Forbidden(ErrorBody),
}

/// The answer if nothing is published, or the key does not exist.
#[derive(Debug, IntoResponses)]
pub enum NothingThere {
    /// Nothing is published for that sport, model type or date, or there is no such key.
    #[response(status = 404)]
    NotFound(ErrorBody),
}

/// The answer to a client that already has the current version.
#[derive(Debug, IntoResponses)]
pub enum Unchanged {
    /// The answer is still the one named in If-None-Match.
    #[response(status = 304)]
    NotModified,
}

/// The refusal of a part of a table. The answer 206 is not described: beside it, generated clients would give every
/// answer a union of two types.
#[derive(Debug, IntoResponses)]
pub enum PartOfATable {
    /// The table does not have the bytes of the requested `Range`.
    #[response(status = 416)]
    NotThere(ErrorBody),
}

/// The refusal of a body before any route reads it.
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

/// The refusal of a page of another version than the first page.
#[derive(Debug, IntoResponses)]
pub enum SnapshotChanged {
    /// The season was published anew since the snapshot, or has no such snapshot: start again from the first page.
    #[response(status = 409)]
    Conflict(ErrorBody),
}

/// The refusal of an address with too many requests without a key.
#[derive(Debug, IntoResponses)]
pub enum TooOften {
    /// This address has sent too many requests within a second.
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds to wait")))]
    TooManyRequests(ErrorBody),
}
