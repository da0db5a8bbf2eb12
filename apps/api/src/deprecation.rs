//! Deprecated operations and values: their headers and their marks in the document.

use actix_web::web::Json;
use actix_web::{CustomizeResponder, Responder as _};
use serde::Serialize;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Deprecated, HeaderBuilder, RefOr};

use crate::arguments::{Argument, from_request};

/// The link to the section of `/docs` that names the replacements.
pub const LINK: &str = "</docs#deprecated>; rel=\"deprecation\"; type=\"text/html\"";

/// The name of the header with the time of a deprecation, in the format of RFC 9745.
pub const HEADER: &str = "Deprecation";

/// The time at which the empty picks were deprecated: 29 November 2026.
const PICKS_SINCE: &str = "@1795910400";

/// An argument of the operations of empty picks: marks them as deprecated.
#[derive(Debug, Clone, Copy)]
pub struct EmptyPicks;

from_request! { EmptyPicks, _request => Ok(Self) }

impl EmptyPicks {
    /// Returns an answer with the headers of the deprecation.
    #[expect(clippy::unused_self, reason = "an operation that answers so has the argument, which marks it")]
    pub fn answer<T: Serialize>(self, body: T) -> CustomizeResponder<Json<T>> {
        Json(body).customize().insert_header((HEADER, PICKS_SINCE)).insert_header(("Link", LINK))
    }
}

impl Argument for EmptyPicks {
    fn describe(operation: &mut Operation) {
        operation.deprecated = Some(Deprecated::True);
        let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") else { return };
        let headers =
            [(HEADER, "The time since which it is deprecated"), ("Link", "The documentation of the deprecation")];
        for (name, description) in headers {
            let text = ObjectBuilder::new().schema_type(Type::String).build();
            let header = HeaderBuilder::new().schema(Some(text)).description(Some(description)).build();
            answer.headers.insert(name.to_owned(), RefOr::T(header));
        }
    }
}
