//! What happens to every request, whatever its route: an id, an access log line, a body that is received before anything is
//! asked of it, a body for every failure, words on who may keep the answer and what browsers may make of it, and an answer
//! even to a panic.

mod failure;
mod head;
mod keeping;
mod no_such_path;
mod request_body;
mod spanning;
mod watching;

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{DATE, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use sports_accounts::CustomerId;
use sports_ports::Clock;

use failure::Finished;
pub(crate) use no_such_path::{Methods, no_such_path};
pub(crate) use watching::{Answered, Request, Watcher, Watching, sport_of};

use crate::auth::key_owner;
use crate::caching::Audience;
use crate::draining::Draining;
use crate::metrics::Route;
use crate::plain_text::http_date;
use crate::request_id::RequestId;
use crate::{browsers, panic_guard, trace};

/// Answers one request. Everything is here because a panic takes the request with it: what its answer
/// needs is noted first.
pub(crate) async fn shell<B: MessageBody + 'static>(
    clock: Data<dyn Clock>,
    draining: Data<Draining>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let watching = Watching::start(&request, clock.get_ref());
    let (id, trace) = (watching.id().clone(), watching.context().cloned());
    head::as_get(&mut request);

    let answer = match request_body::receive(&mut request).await {
        Ok(()) => match head::refusal(&request) {
            None => {
                trace::within(trace, panic_guard::call(next, request)).await.map(ServiceResponse::map_into_boxed_body)
            }
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
            watching.finish(&Answered { route, near: near.as_deref(), sport, customer, status });
            Ok(ServiceResponse::new(request, response))
        }
        // The request is lost, and was no customer's: a scope that knows its caller loses none.
        Err(error) => {
            let mut finished = Finished::new(&error, clock.get_ref(), &id);
            let status = finished.status();
            mark(status, finished.headers_mut(), None, &id, clock.now());
            watching.finish(&Answered { status, ..Answered::default() });
            Err(finished.into())
        }
    }
}

/// Adds the headers that every response has.
fn mark(status: StatusCode, headers: &mut HeaderMap, customer: Option<CustomerId>, id: &RequestId, now: DateTime<Utc>) {
    let audience = if customer.is_some() { Audience::KeyHolder } else { Audience::Public };
    id.mark(headers);
    if let Ok(date) = http_date(now, HeaderValue::from_str) {
        headers.insert(DATE, date);
    }
    keeping::say(status, headers, audience);
    browsers::say(headers);
}
