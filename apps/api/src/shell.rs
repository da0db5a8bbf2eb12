//! What happens to every request, whatever its route: an id, an access log line, a body that is received before anything is
//! asked of it, a body for every failure, words on who may keep the answer and what browsers may make of it, the caller's
//! standing with the quota, and an answer even to a panic.

mod access_log;
mod browsers;
mod compression;
mod failure;
mod head;
mod keeping;
mod no_such_path;
mod panic_guard;
mod request_body;
mod request_id;

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use sports_ports::Clock;
use sports_ports::metering::Meter;

use access_log::AccessLog;
pub(crate) use browsers::FOR_DATA;
use failure::Finished;
pub(crate) use head::{LIMIT as HEAD_LIMIT, judge as judge_head};
pub(crate) use no_such_path::{Methods, no_such_path};
pub(crate) use request_id::RequestId;

use crate::auth::QuotaNote;

/// Answers one request. Everything is here because a panic takes the request with it: what its answer
/// needs is noted first.
pub(crate) async fn shell<B: MessageBody + 'static>(
    clock: Data<dyn Clock>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = RequestId::from_headers(request.headers());
    let log = AccessLog::start(&request, &id);
    let slip = QuotaNote::attach(request.request());
    let meter = request.app_data::<Data<dyn Meter>>().cloned();
    head::as_get(&mut request);

    let answer = match request_body::receive(&mut request).await {
        Ok(()) => match head::refusal(&request) {
            None => panic_guard::call(next, request).await.map(ServiceResponse::map_into_boxed_body),
            Some(refusal) => Ok(request.error_response(refusal)),
        },
        Err(refusal) => Ok(request_body::refuse(request, refusal)),
    };
    match answer {
        Ok(response) => {
            let (request, response) = response.into_parts();
            let mut response = failure::shaped(response, clock.get_ref(), &id);
            id.mark(response.headers_mut());
            keeping::say(response.status(), response.headers_mut(), slip.audience());
            browsers::say(response.headers_mut());
            compression::decide(response.status(), response.headers_mut(), slip.audience());
            let customer = slip.customer();
            slip.settle(response.status(), meter.as_ref(), response.headers_mut()).await;
            log.finish(Some(&request), customer, response.status());
            Ok(ServiceResponse::new(request, response))
        }
        Err(error) => {
            let mut finished = Finished::new(&error, clock.get_ref(), &id);
            id.mark(finished.headers_mut());
            keeping::say(finished.status(), finished.headers_mut(), slip.audience());
            browsers::say(finished.headers_mut());
            let customer = slip.customer();
            slip.settle(finished.status(), meter.as_ref(), finished.headers_mut()).await;
            log.finish(None, customer, finished.status());
            Err(finished.into())
        }
    }
}
