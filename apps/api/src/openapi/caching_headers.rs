use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, HeaderBuilder, RefOr};

/// Describes the headers of the 200 answer: `ETag` if the operation can answer 304, and the text for
/// `X-Grading-Rules` if the operation lists it.
pub(super) fn add_to(operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let has_name = responses.contains_key("304");
    let Some(RefOr::T(answer)) = responses.get_mut("200") else { return };
    if has_name {
        let description = "Identifies this answer; send it back in If-None-Match";
        answer.headers.entry("ETag".to_owned()).or_insert_with(|| header(description));
    }
    if let Some(rules) = answer.headers.get_mut("X-Grading-Rules") {
        *rules = header("The version of the grading rules");
    }
}

fn header(description: &str) -> RefOr<Header> {
    let schema = ObjectBuilder::new().schema_type(Type::String).build();
    RefOr::T(HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build())
}
