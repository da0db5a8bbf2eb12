use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, Resource};
use utoipa::openapi::path::Operation;

use super::access::{Access, AdmissionRule, Anyone};
use super::keyed::Subscriber;
use super::scope::{scope, take_caller};
use crate::arguments::from_request;
use crate::error::{KeyRefused, NotEntitled};
use crate::openapi::add_responses;
use crate::openapi::security::open_with_a_key_for_more;
use crate::params::{MomentQuery, RawQuery, UnknownParams};

/// Any caller for the present, and a caller with an active subscription for an earlier moment, which costs work.
#[derive(Debug, Clone, Copy)]
pub struct PublicNow(());

fn is_of_a_moment(query: &str) -> bool {
    MomentQuery::is_in(&RawQuery::parse(query))
}

from_request! { PublicNow, request => {
    let rule = Subscriber::RULE.filter(|_| is_of_a_moment(request.query_string()));
    let admitted = |rule: AdmissionRule| take_caller(request, rule).map(|_| Self(()));
    rule.map_or(Ok(Self(())), admitted)
} }

impl Access for PublicNow {
    const RULE: Option<AdmissionRule> = Anyone::RULE;
    const UNKNOWN_PARAMS: UnknownParams = Anyone::UNKNOWN_PARAMS;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope_of_moments)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<KeyRefused>(operation);
        add_responses::<NotEntitled>(operation);
        open_with_a_key_for_more(operation);
    }
}

/// Admits subscribers to requests of an earlier moment, and everybody to others.
async fn scope_of_moments<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if is_of_a_moment(request.query_string()) {
        return scope::<Subscriber, B>(request, next).await;
    }
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}
