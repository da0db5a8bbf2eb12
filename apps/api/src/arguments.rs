//! The contribution of a handler's arguments to the documentation of its operation.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use utoipa::openapi::path::Operation;

/// An argument of a handler, after the first, which is its [`Access`](crate::auth::Access).
pub trait Argument {
    /// Adds the consequences of the argument to the description of an operation, such as the ways in which it can
    /// refuse a request.
    fn describe(_: &mut Operation) {}
}

impl Argument for HttpRequest {}
impl<T: ?Sized> Argument for Data<T> {}
impl<T> Argument for Path<T> {}
impl<T: Argument> Argument for Option<T> {}
