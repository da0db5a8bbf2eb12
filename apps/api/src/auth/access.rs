use std::future::{Ready, ready};

use actix_web::dev::{AppService, HttpServiceFactory, Payload};
use actix_web::{FromRequest, HttpMessage, HttpRequest, Resource};
use utoipa::openapi::path::Operation;

use crate::error::ApiError;
use crate::openapi::security::open_to_the_public;
use crate::params::UnknownParams;

/// Who may call an operation: the first argument of its handler. It brings the scope that lets callers in, and what the
/// document says of them.
pub trait Access: FromRequest + 'static {
    /// The rule for query parameters that the operation does not take.
    const UNKNOWN_PARAMS: UnknownParams;

    /// Registers an operation inside of its scope.
    fn register(resource: Resource, config: &mut AppService);

    /// Says in the document who may call the operation and how others are refused. Comes after all else is said.
    fn describe(operation: &mut Operation);
}

/// Any caller, without a limit: for probes and answers that are in memory.
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

/// The caller that a scope has let in and left in the request's extensions. Outside of the scope there is none, and
/// nothing is answered.
pub(super) fn let_in<C: 'static>(request: &HttpRequest) -> Ready<Result<C, ApiError>> {
    let caller = request.extensions_mut().remove();
    ready(caller.ok_or_else(|| ApiError::Internal("a handler asks for a caller outside of the caller's scope".into())))
}
