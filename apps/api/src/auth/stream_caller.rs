use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpRequest, Resource};
use utoipa::openapi::path::Operation;

use super::access::{Access, AdmissionRule, Anyone};
use super::credentials::Credentials;
use super::keyed::Subscriber;
use super::public::{CrossOriginCaller, allow_any_origin};
use super::scope::{Caller, scope, take_caller};
use crate::arguments::from_request;
use crate::error::{KeyRefused, NotEntitled, RequestRefused, ServiceFault};
use crate::openapi::add_responses;
use crate::openapi::security::open_with_a_key_for_more;
use crate::params::UnknownParams;

/// A caller of a stream: with a key one with an active subscription, whose call counts, and without a key one that is held to the
/// limit of the address and may be a page of any origin.
#[derive(Debug, Clone)]
pub struct StreamCaller(pub Option<Caller>);

/// Returns the rule by which a caller is admitted.
fn rule_of(request: &HttpRequest) -> Option<AdmissionRule> {
    if Credentials::are_given(request) { Subscriber::RULE } else { CrossOriginCaller::RULE }
}

from_request! { StreamCaller, request => match rule_of(request) {
    Some(rule) => take_caller(request, rule).map(Self),
    None => Ok(Self(None)),
} }

impl Access for StreamCaller {
    const RULE: Option<AdmissionRule> = Anyone::RULE;
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::Refused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope_of_streams)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<KeyRefused>(operation);
        add_responses::<NotEntitled>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        open_with_a_key_for_more(operation);
    }
}

async fn scope_of_streams<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if Credentials::are_given(request.request()) {
        return scope::<Subscriber, B>(request, next).await;
    }
    let mut response = scope::<CrossOriginCaller, B>(request, next).await?;
    allow_any_origin(response.headers_mut());
    Ok(response)
}
