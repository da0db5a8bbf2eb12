//! What the arguments of a handler say of its operation in the document.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use utoipa::openapi::path::Operation;

/// An argument of a handler, after the one that says who may call it.
pub trait Argument {
    /// Adds what follows from the argument to the description of an operation: how it may refuse a request, say.
    fn describe(_: &mut Operation) {}
}

impl Argument for HttpRequest {}
impl<T: ?Sized> Argument for Data<T> {}
impl<T> Argument for Path<T> {}
impl<T: Argument> Argument for Option<T> {}
