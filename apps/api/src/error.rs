//! Every failure a client can meet: one enum, one table of statuses and words.

mod body;
mod failures;
mod foreign;

use std::borrow::Cow;
use std::error::Error;
use std::num::NonZeroU32;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_RANGE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use sports_ports::PortError;

use crate::compute_queue::ComputeQueue;

pub use body::ErrorBody;
pub use failures::{
    BodyRefused, KeyRefused, NotEntitled, NothingThere, PartOfATable, RequestRefused, ServiceFault, SnapshotChanged,
    TooOften, Unchanged,
};

/// Why a request is not answered as asked.
///
/// `Display` is what the client reads, [`source`](Error::source) what the log gets beside it.
#[derive(Debug)]
pub enum ApiError {
    /// Part of the request cannot be understood: says which, and what is allowed.
    BadRequest(String),
    /// No key in any of the three places.
    KeyRequired,
    /// A key that opens nothing: mistyped, unknown, expired or revoked.
    KeyRefused,
    /// A valid key of a customer without an active subscription.
    SubscriptionRequired,
    /// The caller is known, or the link is, and may not have this: says why.
    Forbidden(String),
    /// Nothing is published there: says what.
    NotFound(String),
    /// No route has this path.
    NoSuchPath,
    /// The path has other methods.
    MethodNotAllowed {
        /// Those it has, as `Allow` lists them.
        allow: String,
    },
    /// The request no longer fits what it refers to: says what to do.
    Conflict(String),
    /// What is there is not the version asked for: says which it is.
    PreconditionFailed(String),
    /// The body is larger than any route takes.
    BodyTooLarge,
    /// The address and the headers are longer than any client needs.
    HeadTooLarge,
    /// The body has a content encoding.
    EncodedBody,
    /// Some of the request did not arrive in time.
    TooSlow,
    /// What was sent is not valid HTTP.
    Malformed,
    /// Too many requests: says which limit.
    TooManyRequests {
        /// What was exceeded.
        detail: String,
        /// In how many seconds asking again makes sense.
        retry_after: u64,
    },
    /// None of the bytes asked for are there.
    NoSuchRange {
        /// The size of the file in bytes.
        size: u64,
    },
    /// The HTTP layer refused the request before any route saw it.
    Refused(StatusCode),
    /// A part of the service is unavailable.
    Unavailable(PortError),
    /// A request for an expensive answer has waited too long for its turn.
    Busy,
    /// Our fault.
    Internal(Box<dyn Error + Send + Sync>),
    /// Our fault, and the panic has been reported where it happened.
    Panicked,
}

impl ApiError {
    /// In how many seconds an unavailable part may be back.
    const BACK_IN: u64 = 2;

    /// In how many seconds fewer requests may wait for a turn.
    const LESS_BUSY_IN: u64 = 5;

    /// The parameter `name` must be as `allowed` says.
    #[must_use]
    pub fn bad_parameter(name: &str, allowed: &str) -> Self {
        Self::BadRequest(format!("`{name}` must be {allowed}"))
    }

    /// As many calls as a second holds were admitted within the last one.
    #[must_use]
    pub fn second_is_full(limit: NonZeroU32) -> Self {
        let detail = format!("Rate limit exceeded. Limit: {limit} requests per second");
        Self::TooManyRequests { detail, retry_after: 1 }
    }

    /// As many requests of an address as a second holds came with keys that open nothing.
    #[must_use]
    pub fn too_many_failed_keys(limit: NonZeroU32) -> Self {
        let detail = format!("Rate limit exceeded. Limit: {limit} requests with an invalid key per second");
        Self::TooManyRequests { detail, retry_after: 1 }
    }

    /// The status and the words for it.
    fn answer(&self) -> (StatusCode, Cow<'_, str>) {
        match self {
            Self::BadRequest(detail) => (StatusCode::BAD_REQUEST, detail.into()),
            Self::KeyRequired => (StatusCode::UNAUTHORIZED, "API key required".into()),
            Self::KeyRefused => (StatusCode::UNAUTHORIZED, "Invalid or expired API key".into()),
            Self::SubscriptionRequired => (StatusCode::FORBIDDEN, "Active subscription required".into()),
            Self::Forbidden(detail) => (StatusCode::FORBIDDEN, detail.into()),
            Self::NotFound(detail) => (StatusCode::NOT_FOUND, detail.into()),
            Self::NoSuchPath => (StatusCode::NOT_FOUND, "No such path; see /docs for the paths there are".into()),
            Self::MethodNotAllowed { allow } => {
                (StatusCode::METHOD_NOT_ALLOWED, format!("This path takes {allow}").into())
            }
            Self::Conflict(detail) => (StatusCode::CONFLICT, detail.into()),
            Self::PreconditionFailed(detail) => (StatusCode::PRECONDITION_FAILED, detail.into()),
            Self::BodyTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("The body is larger than {} KiB", crate::limits::BODY / 1024).into(),
            ),
            Self::HeadTooLarge => (
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                format!(
                    "The address and the headers are larger than {} KiB together, or there are more than {} headers",
                    crate::limits::HEAD / 1024,
                    crate::limits::HEADERS
                )
                .into(),
            ),
            Self::EncodedBody => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must be sent as it is, without `Content-Encoding`".into(),
            ),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "The request did not arrive in time".into()),
            Self::Malformed => (StatusCode::BAD_REQUEST, "The request is not valid HTTP".into()),
            Self::TooManyRequests { detail, .. } => (StatusCode::TOO_MANY_REQUESTS, detail.into()),
            Self::NoSuchRange { size } => (
                StatusCode::RANGE_NOT_SATISFIABLE,
                format!("The file has {size} bytes; the requested range is outside it").into(),
            ),
            Self::Refused(status) => (*status, status.canonical_reason().unwrap_or("Refused").into()),
            Self::Unavailable(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "This part of the service is temporarily unavailable, try again".into(),
            ),
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many answers that take long to compute are being waited for, try again later".into(),
            ),
            Self::Internal(_) | Self::Panicked => {
                (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side".into())
            }
        }
    }

    /// The header that goes with the status.
    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::KeyRequired => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"sports\""))),
            Self::KeyRefused => {
                let challenge = "Bearer realm=\"sports\", error=\"invalid_token\"";
                Some((WWW_AUTHENTICATE, HeaderValue::from_static(challenge)))
            }
            Self::MethodNotAllowed { allow } => Some((ALLOW, HeaderValue::from_str(allow).ok()?)),
            Self::TooManyRequests { retry_after, .. } => Some((RETRY_AFTER, (*retry_after).into())),
            Self::NoSuchRange { size } => {
                Some((CONTENT_RANGE, HeaderValue::from_str(&format!("bytes */{size}")).ok()?))
            }
            Self::Unavailable(_) => Some((RETRY_AFTER, Self::BACK_IN.into())),
            Self::Busy => Some((RETRY_AFTER, Self::LESS_BUSY_IN.into())),
            Self::BadRequest(_)
            | Self::SubscriptionRequired
            | Self::Forbidden(_)
            | Self::NotFound(_)
            | Self::NoSuchPath
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
        f.write_str(&self.answer().1)
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
            PortError::Unavailable { .. } if ComputeQueue::refused(&error) => Self::Busy,
            PortError::Unavailable { .. } => Self::Unavailable(error),
            PortError::Corrupt { .. } => Self::Internal(error.into()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.answer().0
    }

    /// Status and headers. The body needs the time, so the shell writes it.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status_code());
        if let Some((name, value)) = self.header() {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unavailable_port_is_503_and_one_that_answers_nonsense_500() {
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
    fn headers_go_with_their_status() {
        let limited = ApiError::TooManyRequests { detail: "slow down".to_owned(), retry_after: 9 };
        let unavailable = ApiError::from(PortError::unavailable("key ring", "unavailable"));
        let table = [
            (ApiError::KeyRequired, 401, WWW_AUTHENTICATE, "Bearer realm=\"sports\""),
            (ApiError::KeyRefused, 401, WWW_AUTHENTICATE, "Bearer realm=\"sports\", error=\"invalid_token\""),
            (ApiError::MethodNotAllowed { allow: "GET, HEAD".to_owned() }, 405, ALLOW, "GET, HEAD"),
            (limited, 429, RETRY_AFTER, "9"),
            (unavailable, 503, RETRY_AFTER, "2"),
            (ApiError::Busy, 503, RETRY_AFTER, "5"),
        ];
        for (error, status, name, value) in table {
            let response = error.error_response();
            assert_eq!(response.status().as_u16(), status, "{error}");
            assert_eq!(response.headers().get(name).expect("a header"), value, "{error}");
        }
    }
}
