use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, HeaderBuilder, RefOr};

use super::add_responses;
use crate::error::PartOfATable;
use crate::format::Format;

/// Adds every form of a table to an operation with a `format` parameter. JSON, from the operation's own description, comes
/// first, if there is such an answer: generated clients take the first for the type of the answer.
pub(super) fn add_formats(operation: &mut Operation) {
    let mut parameters = operation.parameters.iter().flatten();
    let takes_format = parameters.any(|parameter| matches!(parameter, RefOr::T(known) if known.name == "format"));
    let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200").filter(|_| takes_format) else { return };
    for format in Format::ALL.into_iter().filter(|format| format.is_table()) {
        answer.content.entry(format.essence().to_owned()).or_insert_with(|| RefOr::T(content(format)));
    }
}

/// Returns the description of a format. Text is a string. Bytes have no schema, as the registry of formats has it:
/// the media type is sufficient.
fn content(format: Format) -> Content {
    let text = RefOr::T(Schema::from(ObjectBuilder::new().schema_type(Type::String)));
    Content::new((format != Format::Parquet).then_some(text))
}

/// Describes an operation whose answer is available as a table, and so in parts.
pub(crate) fn add_tables(operation: &mut Operation) {
    if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") {
        let ranges = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .description(Some("`bytes` on a table, a part of which `Range` can request; absent on JSON"));
        answer.headers.insert("Accept-Ranges".to_owned(), RefOr::T(ranges.build()));
    }
    add_responses::<PartOfATable>(operation);
}
