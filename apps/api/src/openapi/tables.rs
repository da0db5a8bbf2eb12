use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{HeaderBuilder, RefOr};

use super::add_responses;
use crate::error::PartOfATable;

/// What an operation says whose answer can be had as a table, and so in parts.
pub(crate) fn add_to(operation: &mut Operation) {
    if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") {
        let ranges = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .description(Some("`bytes` of a table, of which `Range` asks for a part; absent of JSON"));
        answer.headers.insert("Accept-Ranges".to_owned(), RefOr::T(ranges.build()));
    }
    add_responses::<PartOfATable>(operation);
}
