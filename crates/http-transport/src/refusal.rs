use std::fmt::Write as _;

use actix_http::Response;
use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, DATE, HeaderName, HeaderValue};
use chrono::{DateTime, Utc};
use sports_telemetry::RequestId;
use sports_telemetry::text::http_date;

use crate::caching::BROWSER_HEADERS;

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
    /// Returns status, JSON body and time of the response. The connection closes after it.
    fn response(&self, refusal: Refusal) -> RefusalResponse;
}

/// The response to input that never becomes a request.
#[derive(Debug)]
pub struct RefusalResponse {
    pub status: StatusCode,
    /// The body, in JSON.
    pub body: String,
    /// The time of the service.
    pub date: DateTime<Utc>,
}

impl RefusalResponse {
    /// Writes the whole response, head and body, as HTTP/1.
    pub(crate) fn bytes(&self, id: &RequestId) -> Vec<u8> {
        let reason = self.status.canonical_reason().unwrap_or_default();
        let mut response = format!("HTTP/1.1 {} {reason}\r\n", self.status.as_u16());
        // Writing to a string cannot fail.
        let _ = write!(response, "content-length: {}\r\nconnection: close\r\n", self.body.len());
        for (name, value) in self.headers(id) {
            let _ = write!(response, "{name}: {value}\r\n");
        }
        (response + "\r\n" + &self.body).into_bytes()
    }

    /// Returns the response for a library that writes it.
    pub(crate) fn into_response(self, id: &RequestId) -> Response<BoxBody> {
        let mut response = Response::with_body(self.status, BoxBody::new(()));
        for (name, value) in self.headers(id) {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response.set_body(BoxBody::new(self.body))
    }

    fn headers(&self, id: &RequestId) -> impl Iterator<Item = (HeaderName, String)> + use<> {
        let headers = [
            (CONTENT_TYPE, "application/json".to_owned()),
            (CACHE_CONTROL, "no-store".to_owned()),
            (HeaderName::from_static(RequestId::HEADER), id.to_string()),
            (DATE, http_date(self.date, str::to_owned)),
        ];
        headers.into_iter().chain(BROWSER_HEADERS.map(|(name, value)| (name, value.to_owned())))
    }
}

impl Refusal {
    /// Recognises a whole response of the library's own, which has a status and no body; `None` for other bytes.
    pub(crate) fn of_the_library(response: &[u8]) -> Option<Self> {
        let status = response.strip_prefix(b"HTTP/1.1 ").or_else(|| response.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
        let status = StatusCode::from_bytes(status).ok().filter(StatusCode::is_client_error)?;
        Some(if status == StatusCode::BAD_REQUEST { Self::Malformed } else { Self::Library(status) })
    }
}
