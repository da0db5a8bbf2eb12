use std::fmt::Write as _;
use std::sync::Arc;

use actix_web::ResponseError;
use actix_web::http::StatusCode;
use sports_ports::Clock;
use sports_telemetry::RequestId;
use sports_telemetry::text::http_date;

use crate::browsers::FOR_DATA;
use crate::error::{ApiError, ErrorBody};

/// Answers in the one error shape to what never became a request, and so reaches no shell.
pub(crate) struct Refusals(Arc<dyn Clock>);

impl Refusals {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self(clock)
    }

    /// The whole answer, after which the connection is closed.
    pub(super) fn answer(&self, error: &ApiError, id: &RequestId) -> Vec<u8> {
        let now = self.0.now();
        let status = error.status_code();
        let body = serde_json::to_string(&ErrorBody::from_error(error, now)).unwrap_or_default();
        let mut answer = format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or_default());
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("content-length", body.len().to_string()),
            ("connection", "close".to_owned()),
            ("cache-control", "no-store".to_owned()),
            ("x-request-id", id.to_string()),
            ("date", http_date(now, str::to_owned)),
        ];
        // Writing into a text cannot fail.
        for (name, value) in headers {
            let _ = write!(answer, "{name}: {value}\r\n");
        }
        for (name, value) in FOR_DATA {
            let _ = write!(answer, "{name}: {value}\r\n");
        }
        (answer + "\r\n" + &body).into_bytes()
    }
}

/// Returns the error that the library means by a whole response of its own, which has a status and no body; `None` for other
/// bytes.
pub(super) fn of_the_library(answer: &[u8]) -> Option<ApiError> {
    let status = answer.strip_prefix(b"HTTP/1.1 ").or_else(|| answer.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
    let status = StatusCode::from_bytes(status).ok().filter(StatusCode::is_client_error)?;
    Some(if status == StatusCode::BAD_REQUEST { ApiError::Malformed } else { ApiError::Refused(status) })
}
