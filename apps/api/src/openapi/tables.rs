use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{HeaderBuilder, RefOr};

use super::add_responses;
use crate::error::PartOfATable;

/// Describes an operation whose answer is available as a table, and so in parts.
pub(crate) fn add_to(operation: &mut Operation) {
    if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") {
        let ranges = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .description(Some("`bytes` on a table, a part of which `Range` can request; absent on JSON"));
        answer.headers.insert("Accept-Ranges".to_owned(), RefOr::T(ranges.build()));
    }
    add_responses::<PartOfATable>(operation);
}
