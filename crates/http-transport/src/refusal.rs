use std::fmt::Write as _;

use actix_http::Response;
use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use chrono::{DateTime, Utc};
use sports_telemetry::RequestId;

use crate::caching::insert_browser_headers;
use crate::call_headers::insert_id_and_date;

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
        for (name, value) in &self.headers(id) {
            let _ = write!(response, "{name}: {}\r\n", value.to_str().unwrap_or_default());
        }
        (response + "\r\n" + &self.body).into_bytes()
    }

    /// Returns the response for a library that writes it.
    pub(crate) fn into_response(self, id: &RequestId) -> Response<BoxBody> {
        let headers = self.headers(id);
        let mut response = Response::with_body(self.status, BoxBody::new(self.body));
        *response.headers_mut() = headers;
        response
    }

    fn headers(&self, id: &RequestId) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        insert_id_and_date(&mut headers, id, self.date);
        insert_browser_headers(&mut headers);
        headers
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
