use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, HeaderMap, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, Resource};
use utoipa::openapi::path::Operation;

use super::access::{Access, AdmissionRule};
use super::scope::{scope, take_caller};
use crate::arguments::from_request;
use crate::error::{RequestRefused, ServiceFault, TooOften};
use crate::openapi::add_responses;
use crate::openapi::security::open_to_the_public;
use crate::params::UnknownParams;

/// A caller without a key, held to the limit of the address: for public data, the documentation and downloads, which cost more
/// than a read from memory.
#[derive(Debug, Clone, Copy)]
pub struct PublicCaller(());

/// A public caller that may be a page of any origin: a browser permits it to read the response, refusals included.
#[derive(Debug, Clone, Copy)]
pub struct CrossOriginCaller(());

from_request! { PublicCaller, request => take_caller(request, AdmissionRule::Address).map(|_| Self(())) }

from_request! { CrossOriginCaller, request => take_caller(request, AdmissionRule::Address).map(|_| Self(())) }

impl Access for PublicCaller {
    const RULE: Option<AdmissionRule> = Some(AdmissionRule::Address);
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::LookalikesRefused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope::<Self, _>)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<TooOften>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        open_to_the_public(operation);
    }
}

impl Access for CrossOriginCaller {
    const RULE: Option<AdmissionRule> = PublicCaller::RULE;
    const UNKNOWN_PARAMS: UnknownParams = PublicCaller::UNKNOWN_PARAMS;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope::<Self, _>)).wrap(from_fn(shown_to_any_origin)).register(config);
    }

    fn describe(operation: &mut Operation) {
        PublicCaller::describe(operation);
    }
}

async fn shown_to_any_origin<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let mut response = next.call(request).await?.map_into_boxed_body();
    allow_any_origin(response.headers_mut());
    Ok(response)
}

/// Adds the headers by which a page of any origin may read the response.
pub(super) fn allow_any_origin(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Retry-After, X-Request-Id"));
}
