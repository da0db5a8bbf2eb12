use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, HeaderBuilder, RefOr};

/// What an answer says of itself: one that can be asked for again by name says its name, and one that
/// names the grading rules' header gets the words for it.
pub(super) fn add_to(operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let has_name = responses.contains_key("304");
    let Some(RefOr::T(answer)) = responses.get_mut("200") else { return };
    if has_name {
        let words = "Names this answer; send it back in If-None-Match";
        answer.headers.entry("ETag".to_owned()).or_insert_with(|| header(words));
    }
    if let Some(rules) = answer.headers.get_mut("X-Grading-Rules") {
        *rules = header("The version of the grading rules");
    }
}

fn header(description: &str) -> RefOr<Header> {
    let schema = ObjectBuilder::new().schema_type(Type::String).build();
    RefOr::T(HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build())
}
