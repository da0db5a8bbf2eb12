//! Every failure that a client can receive: one enum, one table of statuses and texts.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;
use std::num::NonZeroU32;

use actix_web::body::BoxBody;
use actix_web::error::{JsonPayloadError, PathError, PayloadError, QueryPayloadError};
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_RANGE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use sports_accounts::{CalendarMonth, hide_keys};
use sports_http_transport::{ComputeQueue, QueueRefusal, Refusal, limits};
use sports_ports::PortError;
use utoipa::{IntoResponses, ToSchema};

/// The reason that a request is refused or fails.
///
/// `Display` is the text for the client, [`source`](Error::source) the cause for the log.
#[derive(Debug)]
pub enum ApiError {
    /// Part of the request cannot be understood; the text names it and the allowed values.
    BadRequest(String),
    /// The request has no key in any of the three places.
    KeyRequired,
    /// Others may have a part of this without a key; the text says which.
    KeyRequiredFor(String),
    /// The key is invalid: mistyped, unknown, expired or revoked.
    KeyRefused,
    /// The key is valid, but its customer has no active subscription.
    SubscriptionRequired,
    /// The caller or the link is known, but has no right to the resource; the text has the reason.
    Forbidden(String),
    /// Nothing is published there; the text names the missing data.
    NotFound(String),
    /// It will be there soon; the text names what is missing.
    NotYet(String),
    /// No route has this path.
    NoSuchPath,
    /// No route has this path, but one has a similar path, which the text is.
    NearPath(String),
    /// The path has other methods.
    MethodNotAllowed {
        /// The methods of the path, in the form of `Allow`.
        allow: String,
    },
    /// The request no longer fits the state that it refers to; the text has the remedy.
    Conflict(String),
    /// The current version is not the version in `If-Match`; the text names the current one.
    PreconditionFailed(String),
    /// The body is larger than any route takes.
    BodyTooLarge,
    /// The address and the headers are longer than any client needs.
    HeadTooLarge,
    /// The body has a content encoding.
    EncodedBody,
    /// The request did not arrive completely in time.
    TooSlow,
    /// The bytes are not valid HTTP.
    Malformed,
    /// There are too many requests; the text names the limit.
    TooManyRequests {
        /// The exceeded limit.
        detail: String,
        /// The number of seconds after which a retry makes sense.
        retry_after: u64,
    },
    /// A quota of the month is used up; the text names it. There is no `Retry-After`: clients would sleep for weeks.
    MonthIsFull {
        /// The exceeded quota.
        detail: String,
        /// The month of the quota.
        month: CalendarMonth,
    },
    /// The requested range is outside the file.
    NoSuchRange {
        /// The size of the file in bytes.
        size: u64,
    },
    /// The HTTP layer refused the request before it reached a route.
    Refused(StatusCode),
    /// A part of the service is unavailable.
    Unavailable(PortError),
    /// A request for an expensive answer was in the queue for too long.
    Busy,
    /// A request for an earlier moment was in the queue for too long.
    PastBusy,
    /// The record of a season is being read, which takes longer than a request waits.
    BeingRead,
    /// A fault of the service.
    Internal(Box<dyn Error + Send + Sync>),
    /// A fault of the service: a panic, which is already in the log.
    Panicked,
}

impl ApiError {
    /// The `Retry-After` of an unavailable part, in seconds.
    const BACK_IN: u64 = 2;

    /// The `Retry-After` of a full queue, in seconds.
    const LESS_BUSY_IN: u64 = 5;

    /// The `Retry-After` of what the next step of a publisher adds, in seconds.
    const THERE_IN: u64 = 60;

    /// Returns the refusal of the parameter `name`, whose allowed values are `allowed`.
    pub fn bad_parameter(name: &str, allowed: &str) -> Self {
        Self::BadRequest(format!("`{name}` must be {allowed}"))
    }

    /// Returns the refusal of a field of a body, with the reason.
    pub fn bad_field(field: &str, reason: impl Display) -> Self {
        Self::BadRequest(format!("`{field}`: {reason}"))
    }

    /// Returns the refusal of a call beyond the limit per second.
    pub fn second_is_full(limit: NonZeroU32) -> Self {
        let detail = format!("Rate limit exceeded. Limit: {limit} requests per second");
        Self::TooManyRequests { detail, retry_after: 1 }
    }

    /// Returns the refusal of a new key beyond the limit per minute.
    pub fn too_many_new_keys(limit: NonZeroU32, retry_after: u64) -> Self {
        let detail = format!("Rate limit exceeded. Limit: {limit} new API keys per minute");
        Self::TooManyRequests { detail, retry_after }
    }

    /// Returns the refusal of a request whose caller has too many expensive ones in the queue.
    fn too_many_queued() -> Self {
        let detail = format!(
            "At most {} expensive requests of one caller can wait; send more when some are answered",
            ComputeQueue::MOST_OF_ONE
        );
        Self::TooManyRequests { detail, retry_after: 1 }
    }

    /// Returns the refusal of a stream beyond those that one caller may have open.
    pub fn too_many_streams(most: usize, of: &str) -> Self {
        let detail = format!(
            "At most {most} streams {of} can be open on a server: name several leagues in `sport`, or close a stream"
        );
        Self::TooManyRequests { detail, retry_after: 10 }
    }

    /// Returns the refusal of a request from an address with too many invalid keys within a second.
    pub fn too_many_failed_keys(limit: NonZeroU32) -> Self {
        let detail = format!("Rate limit exceeded. Limit: {limit} requests with an invalid key per second");
        Self::TooManyRequests { detail, retry_after: 1 }
    }

    /// Returns the text for the client.
    fn detail(&self) -> Cow<'_, str> {
        match self {
            Self::BadRequest(detail)
            | Self::Forbidden(detail)
            | Self::NotFound(detail)
            | Self::NotYet(detail)
            | Self::Conflict(detail)
            | Self::PreconditionFailed(detail)
            | Self::KeyRequiredFor(detail)
            | Self::TooManyRequests { detail, .. } => detail.into(),
            Self::MonthIsFull { detail, month } => {
                let next = month.ends_at().to_rfc3339_opts(SecondsFormat::Secs, true);
                format!("{detail}; the next month begins {next}").into()
            }
            Self::KeyRequired => "API key required".into(),
            Self::KeyRefused => "Invalid or expired API key".into(),
            Self::SubscriptionRequired => "Active subscription required".into(),
            Self::NoSuchPath => "No such path; see /docs for the paths there are".into(),
            Self::NearPath(path) => {
                format!("No such path, did you mean `{path}`? See /docs for the paths there are").into()
            }
            Self::MethodNotAllowed { allow } => format!("This path takes {allow}").into(),
            Self::BodyTooLarge => format!("The body is larger than {} KiB", limits::BODY / 1024).into(),
            Self::HeadTooLarge => format!(
                "The address and the headers are larger than {} KiB together, or there are more than {} headers",
                limits::HEAD / 1024,
                limits::HEADERS
            )
            .into(),
            Self::EncodedBody => "The body must be sent as it is, without `Content-Encoding`".into(),
            Self::TooSlow => "The request did not arrive in time".into(),
            Self::Malformed => "The request is not valid HTTP".into(),
            Self::NoSuchRange { size } => {
                format!("The file has {size} bytes; the requested range is outside it").into()
            }
            Self::Refused(StatusCode::NOT_ACCEPTABLE) => {
                "`Accept-Encoding` refuses every form of the answer: name br, zstd, gzip or identity in it".into()
            }
            Self::Refused(status) => status.canonical_reason().unwrap_or("Refused").into(),
            Self::Unavailable(_) => "This part of the service is temporarily unavailable, try again".into(),
            Self::PastBusy => "Too many historical queries right now; retry".into(),
            Self::BeingRead => "The record is being read, try again in a few seconds".into(),
            Self::Busy => "Too many expensive requests are queued, try again later".into(),
            Self::Internal(_) | Self::Panicked => "Something went wrong on our side".into(),
        }
    }

    /// Returns the header that the status requires.
    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::KeyRequired | Self::KeyRequiredFor(_) => {
                Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"sports\"")))
            }
            Self::KeyRefused => {
                let challenge = "Bearer realm=\"sports\", error=\"invalid_token\"";
                Some((WWW_AUTHENTICATE, HeaderValue::from_static(challenge)))
            }
            Self::MethodNotAllowed { allow } => Some((ALLOW, HeaderValue::from_str(allow).ok()?)),
            Self::TooManyRequests { retry_after, .. } => Some((RETRY_AFTER, (*retry_after).into())),
            Self::NoSuchRange { size } => {
                Some((CONTENT_RANGE, HeaderValue::from_str(&format!("bytes */{size}")).ok()?))
            }
            Self::Unavailable(_) | Self::PastBusy => Some((RETRY_AFTER, Self::BACK_IN.into())),
            Self::Busy | Self::BeingRead => Some((RETRY_AFTER, Self::LESS_BUSY_IN.into())),
            Self::NotYet(_) => Some((RETRY_AFTER, Self::THERE_IN.into())),
            Self::BadRequest(_)
            | Self::MonthIsFull { .. }
            | Self::SubscriptionRequired
            | Self::Forbidden(_)
            | Self::NotFound(_)
            | Self::NoSuchPath
            | Self::NearPath(_)
            | Self::Conflict(_)
            | Self::PreconditionFailed(_)
            | Self::BodyTooLarge
            | Self::EncodedBody
            | Self::HeadTooLarge
            | Self::TooSlow
            | Self::Malformed
            | Self::Refused(_)
            | Self::Internal(_)
            | Self::Panicked => None,
        }
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.detail())
    }
}

impl Error for ApiError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(source) => Some(source),
            Self::Internal(source) => Some(&**source),
            _ => None,
        }
    }
}

impl From<PortError> for ApiError {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Unavailable { .. } => match ComputeQueue::refusal(&error) {
                Some(QueueRefusal::TooLong) => Self::Busy,
                Some(QueueRefusal::TooMany) => Self::too_many_queued(),
                None => Self::Unavailable(error),
            },
            PortError::Corrupt { .. } => Self::Internal(error.into()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) | Self::Malformed => StatusCode::BAD_REQUEST,
            Self::KeyRequired | Self::KeyRequiredFor(_) | Self::KeyRefused => StatusCode::UNAUTHORIZED,
            Self::SubscriptionRequired | Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) | Self::NotYet(_) | Self::NoSuchPath | Self::NearPath(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::PreconditionFailed(_) => StatusCode::PRECONDITION_FAILED,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::EncodedBody => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooManyRequests { .. } | Self::MonthIsFull { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::NoSuchRange { .. } => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::Refused(status) => *status,
            Self::Unavailable(_) | Self::Busy | Self::PastBusy | Self::BeingRead => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) | Self::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Builds status and headers. The body needs the time, so the shell writes it.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status_code());
        if let Some((name, value)) = self.header() {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// The body of every refusal and failure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "Error", example = json!(ErrorBody::example()))]
pub struct ErrorBody {
    /// `HTTP_` followed by the status code, such as `HTTP_404`.
    #[schema(pattern = "^HTTP_[45][0-9]{2}$")]
    pub error: String,
    /// The fault, and the remedy if there is one.
    pub detail: String,
    /// The time of the answer (UTC).
    pub timestamp: DateTime<Utc>,
}

impl ErrorBody {
    /// Builds the body for `error` at `now`. A refusal may repeat text of the request, but not a key in it.
    pub fn from_error(error: &ApiError, now: DateTime<Utc>) -> Self {
        Self {
            error: format!("HTTP_{}", error.status_code().as_u16()),
            detail: hide_keys(&error.to_string()).into_owned(),
            timestamp: now,
        }
    }

    fn example() -> Self {
        let error = ApiError::bad_parameter("limit", "a whole number from 1 to 100000");
        Self::from_error(&error, crate::examples::instant())
    }
}

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
    #[response(status = 401, headers(("WWW-Authenticate" = String,
        description = "The method of authentication, and the mistake if a key is in a place that is not read")))]
    Unauthorized(ErrorBody),
    /// The per-second limit, the monthly quota or the month's refreshes are used up, or this address has sent too many
    /// invalid keys within a second.
    #[response(status = 429, headers(("Retry-After" = u64,
        description = "Seconds to wait; without it, the quota of the month is used up, and a retry does not help")))]
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
    /// The key is valid, but its customer has no active subscription or does not own the resource, or its scope is `read`.
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

// Conversions of the HTTP library's errors.

/// An error of the HTTP library, of which only the text is kept.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Foreign(String);

impl ApiError {
    /// Converts an error that the HTTP library made.
    pub(crate) fn foreign(error: &actix_web::Error) -> Self {
        match error.as_response_error().status_code() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::BodyTooLarge,
            status if status.is_server_error() => Self::Internal(Foreign(error.to_string()).into()),
            status => Self::Refused(status),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::HeadTooLarge => Self::HeadTooLarge,
            Refusal::BodyTooLarge => Self::BodyTooLarge,
            Refusal::EncodedBody => Self::EncodedBody,
            Refusal::Malformed => Self::Malformed,
            Refusal::TooSlow => Self::TooSlow,
            Refusal::Library(status) => Self::Refused(status),
        }
    }
}

impl From<JsonPayloadError> for ApiError {
    fn from(error: JsonPayloadError) -> Self {
        match error {
            JsonPayloadError::OverflowKnownLength { .. }
            | JsonPayloadError::Overflow { .. }
            | JsonPayloadError::Payload(PayloadError::Overflow) => Self::BodyTooLarge,
            JsonPayloadError::ContentType => {
                Self::BadRequest("The body must be JSON, with `Content-Type: application/json`".to_owned())
            }
            JsonPayloadError::Deserialize(error) => Self::BadRequest(format!("The body does not match: {error}")),
            JsonPayloadError::Serialize(error) => Self::Internal(error.into()),
            _ => Self::BadRequest("The body ended early or could not be read".to_owned()),
        }
    }
}

impl From<QueryPayloadError> for ApiError {
    fn from(error: QueryPayloadError) -> Self {
        Self::BadRequest(format!("The query string cannot be read: {error}"))
    }
}

impl From<PathError> for ApiError {
    fn from(error: PathError) -> Self {
        Self::BadRequest(format!("The path cannot be read: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unavailable_port_is_503_and_a_corrupt_one_is_500() {
        let unavailable = ApiError::from(PortError::unavailable("key ring", "10.0.0.7 refused the connection"));
        let corrupt = ApiError::from(PortError::corrupt("season archive", "bad magic in 5f3a"));
        assert_eq!(unavailable.status_code(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(corrupt.status_code(), StatusCode::INTERNAL_SERVER_ERROR);
        for (error, internals) in [(unavailable, ["10.0.0.7", "key ring"]), (corrupt, ["5f3a", "archive"])] {
            for internal in internals {
                assert!(!error.to_string().contains(internal), "{error}");
            }
            assert!(error.source().is_some());
        }
    }

    #[test]
    fn errors_have_the_header_of_their_status() {
        let limited = ApiError::TooManyRequests { detail: "slow down".to_owned(), retry_after: 9 };
        let unavailable = ApiError::from(PortError::unavailable("key ring", "unavailable"));
        let table = [
            (ApiError::KeyRequired, 401, WWW_AUTHENTICATE, "Bearer realm=\"sports\""),
            (ApiError::KeyRefused, 401, WWW_AUTHENTICATE, "Bearer realm=\"sports\", error=\"invalid_token\""),
            (ApiError::MethodNotAllowed { allow: "GET, HEAD".to_owned() }, 405, ALLOW, "GET, HEAD"),
            (limited, 429, RETRY_AFTER, "9"),
            (unavailable, 503, RETRY_AFTER, "2"),
            (ApiError::Busy, 503, RETRY_AFTER, "5"),
            (ApiError::PastBusy, 503, RETRY_AFTER, "2"),
            (ApiError::BeingRead, 503, RETRY_AFTER, "5"),
            (ApiError::NotYet("not signed".to_owned()), 404, RETRY_AFTER, "60"),
        ];
        for (error, status, name, value) in table {
            let response = error.error_response();
            assert_eq!(response.status().as_u16(), status, "{error}");
            assert_eq!(response.headers().get(name).expect("a header"), value, "{error}");
        }
    }
}
