//! The contribution of a handler's arguments to the documentation of its operation.

use actix_web::HttpRequest;
use actix_web::web::Path;
use utoipa::openapi::path::Operation;

/// An argument of a handler, after the first, which is its [`Access`](crate::auth::Access).
pub trait Argument {
    /// Adds the consequences of the argument to the description of an operation, such as the ways in which it can
    /// refuse a request.
    fn describe(_: &mut Operation) {}
}

impl Argument for HttpRequest {}
impl<T> Argument for Path<T> {}
impl<T: Argument> Argument for Option<T> {}

/// Implements `FromRequest` for a type that is made of the head of a request alone.
macro_rules! from_request {
    (<$generic:ident: $bound:path> $argument:ty, $request:ident => $made:expr) => {
        from_request!(@ [<$generic: $bound + 'static>] $argument, $request => $made);
    };
    (@ [$($generics:tt)*] $argument:ty, $request:ident => $made:expr) => {
        impl $($generics)* ::actix_web::FromRequest for $argument {
            type Error = $crate::error::ApiError;
            type Future = ::std::future::Ready<Result<Self, $crate::error::ApiError>>;

            fn from_request($request: &::actix_web::HttpRequest, _: &mut ::actix_web::dev::Payload) -> Self::Future {
                ::std::future::ready($made)
            }
        }
    };
    ($argument:ty, $request:ident => $made:expr) => {
        from_request!(@ [] $argument, $request => $made);
    };
}

pub(crate) use from_request;
