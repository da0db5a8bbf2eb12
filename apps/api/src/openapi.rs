//! The OpenAPI document: what it says beside the operations, which describe themselves.

mod base;
mod caching_headers;
mod quota_headers;

use std::fmt;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa_actix_web::AppExt;

use crate::api::Routes;

/// The document as `/openapi.json` serves it and `docs/openapi.json` holds it.
#[derive(Debug, Clone)]
pub struct Document(Bytes);

impl Document {
    pub(crate) fn from_document(document: &OpenApi) -> Self {
        let mut text = document.to_pretty_json().unwrap_or_default();
        text.push('\n');
        Self(text.into())
    }

    /// The document of the service's own routes.
    #[must_use]
    pub fn of_the_service() -> Self {
        Self::from_document(&document(crate::routes::all))
    }

    /// The bytes, which end with a line break.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.0
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Describes routes. An operation that does not say who may call it is documented as behind a key.
#[must_use]
pub fn document(routes: Routes) -> OpenApi {
    let app = actix_web::App::new().into_utoipa_app().openapi(base::document()).configure(routes);
    let (_, mut document) = app.split_for_parts();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        caching_headers::add_to(operation);
        let is_keyed = operation.security.is_none();
        operation.security.get_or_insert_with(base::any_key);
        if is_keyed {
            quota_headers::add_to(operation);
        }
    }
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// The instant of every example.
pub(crate) fn example_instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_736_953_445, 0).unwrap_or_default()
}
