//! The outer middleware of all routes: request ids, the access log, request bodies, error bodies, headers about caches and
//! browsers, and responses to panics.

mod failure;
mod no_such_path;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest};
use chrono::{DateTime, Utc};
use sports_accounts::CustomerId;
use sports_http_transport::{
    Audience, Encoding, ProxyTrust, REQUEST_ID, catch_panic, close_after, insert_browser_headers, insert_id_and_date,
    league_of, receive_body, refuse_body, route_head_as_get,
};
use sports_telemetry::metrics::Route;
use sports_telemetry::trace::{PARENT, STATE, TraceContext, within};
use sports_telemetry::{PendingRequest, RequestId, ResponseSummary};

pub(crate) use no_such_path::no_such_path;

use crate::auth::{expect_one_key, key_owner};
use crate::error::ApiError;
use crate::state::State;

/// Responds to one request. A panic drops the request, so everything that its response needs is noted first.
pub(crate) async fn shell<B: MessageBody + 'static>(
    state: State,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let pending = begin(&state, &request);
    let (id, trace, method) = (pending.id().clone(), pending.trace().cloned(), request.method().clone());
    route_head_as_get(&mut request);
    match answer(request, next, trace).await {
        Ok(response) => {
            let (request, response) = response.into_parts();
            let mut response = failure::with_body(response, &*state.clock, &id);
            // A stream has no end, and the connection would take its body to the end.
            if method == Method::HEAD && response.body().size() == BodySize::Stream {
                response = response.drop_body().map_into_boxed_body();
            }
            if state.operations.draining.has_begun() {
                close_after(&request, &mut response);
            }
            let status = response.status();
            insert_headers(status, response.headers_mut(), key_owner(&request), &id, state.clock.now());
            record(pending, &method, &request, status);
            Ok(ServiceResponse::new(request, response))
        }
        // The request is lost. It had no caller, because a scope loses no request.
        Err(error) => {
            let mut lost = failure::lost(&error, &*state.clock, &id);
            let status = lost.status;
            insert_headers(status, &mut lost.headers, None, &id, state.clock.now());
            let summary = ResponseSummary { status: status.as_u16(), ..ResponseSummary::default() };
            pending.finish(method.as_str(), &summary);
            Err(lost.into())
        }
    }
}

/// Receives the body of a request, and calls the rest of the application.
async fn answer<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
    trace: Option<TraceContext>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if let Err(refusal) = receive_body(&mut request).await {
        return Ok(refuse_body(request, refusal, ApiError::from(refusal)));
    }
    if let Err(repeated) = expect_one_key(request.headers()) {
        return Ok(request.error_response(repeated));
    }
    if Encoding::is_none_accepted(request.headers()) {
        return Ok(request.error_response(ApiError::Refused(StatusCode::NOT_ACCEPTABLE)));
    }
    let response = within(trace, catch_panic(next, request, ApiError::Panicked)).await;
    response.map(ServiceResponse::map_into_boxed_body)
}

/// Records the response to a request.
fn record(pending: PendingRequest, method: &Method, request: &HttpRequest, status: StatusCode) {
    let route = request.app_data::<Route>();
    // The path exists with another method.
    let near = if route.is_none() { request.match_pattern() } else { None };
    pending.finish(
        method.as_str(),
        &ResponseSummary {
            route,
            near: near.as_deref(),
            sport: league_of(request),
            customer: key_owner(request),
            client: Some(ProxyTrust::client_address(request)),
            status: status.as_u16(),
        },
    );
}

/// Begins the record of a request.
fn begin(state: &State, request: &ServiceRequest) -> PendingRequest {
    let all = |name| request.headers().get_all(name).map(HeaderValue::as_bytes);
    let id = RequestId::from_header(request.headers().get(REQUEST_ID).map(HeaderValue::as_bytes));
    let caller = TraceContext::from_headers(all(PARENT), all(STATE));
    PendingRequest::start(state.recorder().clone(), id, caller, state.operations.traces.as_ref())
}

/// Inserts the headers of every response.
fn insert_headers(
    status: StatusCode,
    headers: &mut HeaderMap,
    customer: Option<CustomerId>,
    id: &RequestId,
    now: DateTime<Utc>,
) {
    let audience = if customer.is_some() { Audience::KeyHolder } else { Audience::Public };
    insert_id_and_date(headers, id, now);
    audience.insert_default(status, headers);
    insert_browser_headers(headers);
}
