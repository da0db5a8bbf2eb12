//! The OpenAPI document: the parts beside the operations, which describe themselves.

mod base;
pub(crate) mod formats;
mod headers;
mod interface;
mod known_params;
mod methods;
mod near_paths;
pub(crate) mod security;

use std::fmt;

use bytes::Bytes;
use utoipa::IntoResponses;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

pub use interface::Interface;
pub(crate) use known_params::{KnownParams, document_known};

/// The operations of an API, as a plain function, because every worker and the document use it.
pub type Routes = fn(&mut ServiceConfig<'_>);

/// The document as it is served at `/openapi.json` and stored in `docs/openapi.json`.
#[derive(Debug, Clone)]
pub struct Document(Bytes);

impl Document {
    /// Builds the document of these routes.
    pub fn for_routes(routes: Routes) -> Self {
        Self::from_document(&document(routes))
    }

    pub(crate) fn from_document(document: &OpenApi) -> Self {
        let mut text = document.to_pretty_json().unwrap_or_default();
        text.push('\n');
        Self(text.into())
    }

    /// Returns the bytes, which end with a line break.
    pub const fn bytes(&self) -> &Bytes {
        &self.0
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Describes these routes.
pub fn document(routes: Routes) -> OpenApi {
    let app = actix_web::App::new().into_utoipa_app().openapi(base::document()).configure(routes);
    let (_, mut document) = app.split_for_parts();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        headers::add_caching_headers(operation);
        headers::add_receipt_header(operation);
        headers::add_request_headers(operation);
        formats::add_formats(operation);
    }
    document
}

/// Returns the operations of one path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Adds responses to an operation. Its own description of a status stays.
pub(crate) fn add_responses<R: IntoResponses>(operation: &mut Operation) {
    for (status, response) in R::responses() {
        operation.responses.responses.entry(status).or_insert(response);
    }
}
