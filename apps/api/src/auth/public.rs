use std::future::Ready;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::Data;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, Resource};
use sports_ports::Clock;
use sports_ports::metering::AddressLimit;
use sports_telemetry::metrics::Decision;
use utoipa::openapi::path::Operation;

use super::access::{Access, admitted};
use super::admission::{CallLimits, count_decision};
use super::entrance::Entrance;
use crate::error::{ApiError, RequestRefused, ServiceFault, TooOften};
use crate::openapi::add_responses;
use crate::openapi::security::open_to_the_public;
use crate::params::UnknownParams;
use crate::provided::provided;
use crate::proxy_trust::ProxyTrust;

/// A caller without a key, held to the limit of the address they call from: for public data, the documentation and
/// downloads, which cost more than a look at what is in memory.
#[derive(Debug, Clone, Copy)]
pub struct PublicCaller(());

/// A public caller who may be a page of any origin: a browser lets it read the answer, refusals included.
#[derive(Debug, Clone, Copy)]
pub struct CrossOriginCaller(());

impl FromRequest for PublicCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admitted(request)
    }
}

impl FromRequest for CrossOriginCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admitted(request)
    }
}

impl Access for PublicCaller {
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::LookalikesRefused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(public_scope)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<TooOften>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        open_to_the_public(operation);
    }
}

impl Access for CrossOriginCaller {
    const UNKNOWN_PARAMS: UnknownParams = PublicCaller::UNKNOWN_PARAMS;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(cross_origin_scope)).register(config);
    }

    fn describe(operation: &mut Operation) {
        PublicCaller::describe(operation);
    }
}

/// The scope of what is public: holds each address to a number of requests a second.
///
/// # Errors
///
/// Those of what is inside.
async fn public_scope<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    limited(PublicCaller(()), request, next).await
}

async fn cross_origin_scope<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let mut response = limited(CrossOriginCaller(()), request, next).await?;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Retry-After, X-Request-Id"));
    Ok(response)
}

async fn limited<C: 'static, B: MessageBody + 'static>(
    caller: C,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if let Err(refusal) = admit(request.request()).await {
        return Ok(request.error_response(refusal));
    }
    Entrance::Address.mark(request.request());
    request.extensions_mut().insert(caller);
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}

async fn admit(request: &HttpRequest) -> Result<(), ApiError> {
    let limits: &Data<CallLimits> = provided(request, "address limit")?;
    let limit: &Data<dyn AddressLimit> = provided(request, "address limit")?;
    let clock: &Data<dyn Clock> = provided(request, "address limit")?;
    let admits = limit.admits(ProxyTrust::client_address(request), clock.uptime()).await?;
    count_decision(request, if admits { Decision::Admitted } else { Decision::Address });
    if admits { Ok(()) } else { Err(ApiError::second_is_full(limits.public_per_second)) }
}
