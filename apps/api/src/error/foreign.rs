//! Conversions of the HTTP library's errors.

use actix_web::error::{JsonPayloadError, PathError, PayloadError, QueryPayloadError};
use actix_web::http::StatusCode;
use sports_http_transport::Refusal;

use super::ApiError;

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
