//! Bodies of failures, which contain the time, and the log lines of faults.

use std::borrow::Cow;
use std::error::Error as StdError;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::{Error, HttpResponse, ResponseError};
use bytes::Bytes;
use sports_accounts::hide_keys;
use sports_http_transport::LostRequestResponse;
use sports_ports::{Clock, error_chain};
use sports_telemetry::RequestId;

use crate::error::{ApiError, ErrorBody};

/// Adds a body to a failure without one. Its headers stay.
pub(super) fn with_body(response: HttpResponse, clock: &dyn Clock, id: &RequestId) -> HttpResponse {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let body = match response.error() {
        Some(error) => body(error, clock, id),
        None if has_body(&response) => return response,
        None => text(&ApiError::Refused(status), clock),
    };
    let mut response = response.set_body(BoxBody::new(body));
    set_json(response.headers_mut());
    response
}

/// Creates the response to an error in place of a request that was lost.
pub(super) fn lost(error: &Error, clock: &dyn Clock, id: &RequestId) -> LostRequestResponse {
    let response = error.as_response_error().error_response();
    let mut headers = response.headers().clone();
    set_json(&mut headers);
    LostRequestResponse { status: response.status(), headers, body: body(error, clock, id) }
}

fn has_body(response: &HttpResponse) -> bool {
    !matches!(response.body().size(), BodySize::None | BodySize::Sized(0))
}

fn set_json(headers: &mut HeaderMap) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
}

fn body(error: &Error, clock: &dyn Clock, id: &RequestId) -> Bytes {
    let error = match error.as_error::<ApiError>() {
        Some(ours) => Ok(ours),
        None => Err(ApiError::foreign(error)),
    };
    let error = error.as_ref().copied().unwrap_or_else(|foreign| foreign);
    // A refusal of the compute queue is no fault: a metric counts it, and it would fill the log of a server under load.
    if error.status_code().is_server_error() && !matches!(error, ApiError::Busy) {
        log(error, id);
    }
    text(error, clock)
}

fn text(error: &ApiError, clock: &dyn Clock) -> Bytes {
    serde_json::to_vec(&ErrorBody::from_error(error, clock.now())).unwrap_or_default().into()
}

/// Logs the whole chain of causes, which no client sees.
fn log(error: &ApiError, id: &RequestId) {
    let causes: Cow<'_, str> = match error.source() {
        Some(first) => hide_keys(&error_chain(first)).into_owned().into(),
        None => "see the panic above".into(),
    };
    let status = error.status_code().as_u16();
    tracing::error!(status, request_id = %id, causes = %causes, "answered {status}: {causes}");
}
