//! Error bodies for input that the HTTP transport refuses.

use std::fmt::Write as _;
use std::sync::Arc;

use actix_web::ResponseError;
use sports_http_transport::{BROWSER_HEADERS, Refusal, Refusals};
use sports_ports::Clock;
use sports_telemetry::RequestId;
use sports_telemetry::text::http_date;

use crate::error::{ApiError, ErrorBody};

/// The refusals of the transport, in the error shape of the API.
pub(crate) struct ErrorResponses(Arc<dyn Clock>);

impl ErrorResponses {
    /// Creates responses with the time of a clock.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self(clock)
    }
}

impl Refusals for ErrorResponses {
    fn response(&self, refusal: Refusal, id: &RequestId) -> Vec<u8> {
        let (error, now) = (ApiError::from(refusal), self.0.now());
        let status = error.status_code();
        let body = serde_json::to_string(&ErrorBody::from_error(&error, now)).unwrap_or_default();
        let mut response =
            format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or_default());
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("content-length", body.len().to_string()),
            ("connection", "close".to_owned()),
            ("cache-control", "no-store".to_owned()),
            (RequestId::HEADER, id.to_string()),
            ("date", http_date(now, str::to_owned)),
        ];
        // Writing to a string cannot fail.
        for (name, value) in headers {
            let _ = write!(response, "{name}: {value}\r\n");
        }
        for (name, value) in BROWSER_HEADERS {
            let _ = write!(response, "{name}: {value}\r\n");
        }
        (response + "\r\n" + &body).into_bytes()
    }
}
