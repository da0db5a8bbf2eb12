//! An operation of the API: a handler inside the scope of its callers, and the description of both in the document.

use std::marker::PhantomData;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::http::Method;
use actix_web::{FromRequest, Handler, Resource, Responder, guard, web};
use sports_telemetry::metrics::Route;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{HttpMethod, Operation as Description, Paths};
use utoipa::openapi::schema::Schema;
use utoipa_actix_web::OpenApiFactory;

use crate::arguments::Argument;
use crate::auth::Access;
use crate::openapi::operations;

/// A handler and its description `D`, which [`utoipa::path`] makes. The arguments `A` of the handler determine who may call it
/// and how it refuses requests, in the document and in fact.
pub struct Operation<H, A, D> {
    handler: H,
    description: D,
    has_tail: bool,
    arguments: PhantomData<A>,
}

impl<H, A, D> Operation<H, A, D> {
    /// Creates the operation of a handler, with the description of the same name.
    pub const fn new(handler: H, description: D) -> Self {
        Self { handler, description, has_tail: false, arguments: PhantomData }
    }

    /// Lets the last parameter of the path have several segments.
    pub fn with_tail(self) -> Self {
        Self { has_tail: true, ..self }
    }
}

/// Creates the operation of a handler, by the handler's name in its module.
macro_rules! operation {
    ($handler:ident) => {
        ::pastey::paste! { $crate::operation::Operation::new($handler, [<__path_ $handler>]) }
    };
    ($module:ident :: $handler:ident) => {
        ::pastey::paste! { $crate::operation::Operation::new($module::$handler, $module::[<__path_ $handler>]) }
    };
}

pub(crate) use operation;

/// The arguments of a handler: its access first, then its parameters.
pub trait Arguments {
    /// The access to the operation.
    type Caller: Access;

    /// Adds the descriptions of the arguments to that of an operation.
    fn describe(description: &mut Description);
}

macro_rules! arguments {
    ($($argument:ident)*) => {
        impl<C: Access, $($argument: Argument),*> Arguments for (C, $($argument,)*) {
            type Caller = C;

            fn describe(description: &mut Description) {
                $($argument::describe(description);)*
                C::describe(description);
            }
        }
    };
}

arguments! {}
arguments! { A1 }
arguments! { A1 A2 }
arguments! { A1 A2 A3 }
arguments! { A1 A2 A3 A4 }
arguments! { A1 A2 A3 A4 A5 }
arguments! { A1 A2 A3 A4 A5 A6 }
arguments! { A1 A2 A3 A4 A5 A6 A7 }

impl<H, A, D> HttpServiceFactory for Operation<H, A, D>
where
    H: Handler<A, Output: Responder + 'static>,
    A: Arguments + FromRequest + 'static,
    D: utoipa::Path,
{
    fn register(self, config: &mut AppService) {
        let path = D::path();
        let last = path.strip_suffix('}').filter(|_| self.has_tail);
        let pattern = last.map_or_else(|| path.clone(), |last| format!("{last}:.*}}"));
        for method in D::methods() {
            let resource =
                web::resource(pattern.as_str()).guard(guard::Method(as_sent(&method))).to(self.handler.clone());
            register::<A::Caller>(resource, path.as_str(), config);
        }
    }
}

impl<H, A: Arguments, D: OpenApiFactory> OpenApiFactory for Operation<H, A, D> {
    fn paths(&self) -> Paths {
        let mut paths = self.description.paths();
        paths.paths.values_mut().flat_map(operations).for_each(A::describe);
        paths
    }

    fn schemas(&self, schemas: &mut Vec<(String, RefOr<Schema>)>) {
        self.description.schemas(schemas);
    }
}

/// A path that is no operation of the document. The first argument of its handler determines its scope, too.
pub struct Undocumented<H, A> {
    method: Method,
    path: &'static str,
    handler: H,
    arguments: PhantomData<A>,
}

/// Creates a path that the document leaves out.
pub const fn undocumented<H, A>(method: Method, path: &'static str, handler: H) -> Undocumented<H, A> {
    Undocumented { method, path, handler, arguments: PhantomData }
}

impl<H, A> HttpServiceFactory for Undocumented<H, A>
where
    H: Handler<A, Output: Responder + 'static>,
    A: Arguments + FromRequest + 'static,
{
    fn register(self, config: &mut AppService) {
        let resource = web::resource(self.path).guard(guard::Method(self.method)).to(self.handler);
        register::<A::Caller>(resource, self.path, config);
    }
}

/// Registers the handler of a path inside the scope of its callers.
fn register<C: Access>(resource: Resource, path: impl Into<String>, config: &mut AppService) {
    let resource = resource.app_data(Route::new(path)).app_data(C::UNKNOWN_PARAMS);
    let resource = match C::RULE {
        Some(rule) => resource.app_data(rule),
        None => resource,
    };
    C::register(resource, config);
}

/// Converts a method of the document to the method of a request.
fn as_sent(method: &HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Options => Method::OPTIONS,
        HttpMethod::Head => Method::HEAD,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Trace => Method::TRACE,
    }
}
