use std::future::{Ready, ready};

use actix_web::dev::{AppService, HttpServiceFactory, Payload};
use actix_web::{FromRequest, HttpMessage, HttpRequest, Resource};
use utoipa::openapi::path::Operation;

use crate::error::ApiError;
use crate::openapi::security::open_to_the_public;
use crate::params::UnknownParams;

/// The callers that may call an operation: the first argument of its handler. It brings the scope that admits them,
/// and their description in the document.
pub trait Access: FromRequest + 'static {
    /// The rule for query parameters that the operation does not take.
    const UNKNOWN_PARAMS: UnknownParams;

    /// Registers an operation inside of its scope.
    fn register(resource: Resource, config: &mut AppService);

    /// Adds the credentials and the refusals of other callers to the description of an operation. It runs after all
    /// other descriptions.
    fn describe(operation: &mut Operation);
}

/// Any caller, without a limit: for probes and answers from memory.
#[derive(Debug, Clone, Copy)]
pub struct Anyone;

impl FromRequest for Anyone {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self))
    }
}

impl Access for Anyone {
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::LookalikesRefused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.register(config);
    }

    fn describe(operation: &mut Operation) {
        open_to_the_public(operation);
    }
}

/// Takes the caller that a scope admitted out of the request's extensions. Fails outside of the scope, where there is
/// no caller.
pub(super) fn admitted<C: 'static>(request: &HttpRequest) -> Ready<Result<C, ApiError>> {
    let caller = request.extensions_mut().remove();
    ready(caller.ok_or_else(|| ApiError::Internal("a handler takes a caller outside of the caller's scope".into())))
}
