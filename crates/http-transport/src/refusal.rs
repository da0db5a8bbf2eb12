use actix_web::http::StatusCode;
use sports_telemetry::RequestId;

/// The refusal of a request before its operation receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The head has too many bytes or headers.
    #[error("the head is too large")]
    HeadTooLarge,
    /// The body has too many bytes.
    #[error("the body is too large")]
    BodyTooLarge,
    /// The body has a content encoding.
    #[error("the body has a content encoding")]
    EncodedBody,
    /// The input is not HTTP, or ended early.
    #[error("the input is not HTTP")]
    Malformed,
    /// The request did not arrive in time.
    #[error("the request did not arrive in time")]
    TooSlow,
    /// The HTTP library refuses the request.
    #[error("the HTTP library refuses the request with status {0}")]
    Library(StatusCode),
}

/// The application's responses to input that never becomes a request of its own.
pub trait Refusals: Send + Sync {
    /// Returns the whole response, head and body. The connection closes after it.
    fn response(&self, refusal: Refusal, id: &RequestId) -> Vec<u8>;
}

impl Refusal {
    /// Recognises a whole response of the library's own, which has a status and no body; `None` for other bytes.
    pub(crate) fn of_the_library(response: &[u8]) -> Option<Self> {
        let status = response.strip_prefix(b"HTTP/1.1 ").or_else(|| response.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
        let status = StatusCode::from_bytes(status).ok().filter(StatusCode::is_client_error)?;
        Some(if status == StatusCode::BAD_REQUEST { Self::Malformed } else { Self::Library(status) })
    }
}
