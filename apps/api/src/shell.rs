//! What happens to every request, whatever its route: an id, an access log line, a body that is received before anything is
//! asked of it, a body for every failure, words on who may keep the answer and what browsers may make of it, and an answer
//! even to a panic.

mod failure;
mod head;
mod keeping;
mod no_such_path;
mod request_body;

use std::sync::Arc;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{DATE, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest};
use chrono::{DateTime, Utc};
use sports_accounts::CustomerId;
use sports_domain::Sport;
use sports_ports::Clock;
use sports_telemetry::metrics::Route;
use sports_telemetry::text::http_date;
use sports_telemetry::trace::{PARENT, STATE, SpanExport, TraceContext, within};
use sports_telemetry::{PendingRequest, RequestId, RequestRecorder, ResponseSummary};

use failure::Finished;
pub(crate) use no_such_path::{Methods, no_such_path};

use crate::auth::key_owner;
use crate::caching::Audience;
use crate::draining::Draining;
use crate::{browsers, panic_guard};

/// Answers one request. Everything is here because a panic takes the request with it: what its answer
/// needs is noted first.
pub(crate) async fn shell<B: MessageBody + 'static>(
    clock: Data<dyn Clock>,
    draining: Data<Draining>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let pending = begin(&request, clock.get_ref());
    let (id, trace, method) = (pending.id().clone(), pending.trace().cloned(), request.method().clone());
    head::as_get(&mut request);

    let answer = match request_body::receive(&mut request).await {
        Ok(()) => match head::refusal(&request) {
            None => within(trace, panic_guard::call(next, request)).await.map(ServiceResponse::map_into_boxed_body),
            Some(refusal) => Ok(request.error_response(refusal)),
        },
        Err(refusal) => Ok(request_body::refuse(request, refusal)),
    };
    match answer {
        Ok(response) => {
            let (request, response) = response.into_parts();
            let mut response = failure::shaped(response, clock.get_ref(), &id);
            if draining.has_begun() {
                request_body::close_after(&request, &mut response);
            }
            let (customer, status) = (key_owner(&request), response.status());
            mark(status, response.headers_mut(), customer, &id, clock.now());
            let route = request.app_data::<Route>();
            // Of a path that there is, but not with this method.
            let near = if route.is_none() { request.match_pattern() } else { None };
            let sport = sport_of(&request);
            let status = status.as_u16();
            pending.finish(method.as_str(), &ResponseSummary { route, near: near.as_deref(), sport, customer, status });
            Ok(ServiceResponse::new(request, response))
        }
        // The request is lost, and was no customer's: a scope that knows its caller loses none.
        Err(error) => {
            let mut finished = Finished::new(&error, clock.get_ref(), &id);
            let status = finished.status();
            mark(status, finished.headers_mut(), None, &id, clock.now());
            let summary = ResponseSummary { status: status.as_u16(), ..ResponseSummary::default() };
            pending.finish(method.as_str(), &summary);
            Err(finished.into())
        }
    }
}

/// The header with the id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static(RequestId::HEADER);

/// Begins the record of a request.
fn begin(request: &ServiceRequest, clock: &dyn Clock) -> PendingRequest {
    let all = |name| request.headers().get_all(name).map(HeaderValue::as_bytes);
    let id = RequestId::from_header(request.headers().get(REQUEST_ID).map(HeaderValue::as_bytes));
    let caller = TraceContext::from_headers(all(PARENT), all(STATE));
    let export = request.app_data::<Data<SpanExport>>().map(|export| Arc::clone(export));
    PendingRequest::start(request.app_data::<RequestRecorder>().cloned(), id, caller, export, clock)
}

/// Returns the league in the path of a request.
pub(crate) fn sport_of(request: &HttpRequest) -> Option<Sport> {
    request.match_info().get("sport")?.parse().ok()
}

/// Adds the headers that every response has.
fn mark(status: StatusCode, headers: &mut HeaderMap, customer: Option<CustomerId>, id: &RequestId, now: DateTime<Utc>) {
    let audience = if customer.is_some() { Audience::KeyHolder } else { Audience::Public };
    let id_value = HeaderValue::from_str(id.as_str()).unwrap_or(HeaderValue::from_static("none"));
    headers.insert(REQUEST_ID, id_value);
    if let Ok(date) = http_date(now, HeaderValue::from_str) {
        headers.insert(DATE, date);
    }
    keeping::say(status, headers, audience);
    browsers::say(headers);
}
