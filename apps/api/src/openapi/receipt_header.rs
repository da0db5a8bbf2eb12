use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{HeaderBuilder, RefOr};

/// Describes the receipt of answers to holders of a key: those that name the generation they are of.
pub(super) fn add_to(operation: &mut Operation) {
    let takes_key = operation.security.iter().flatten().any(|way| *way != SecurityRequirement::default());
    let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") else { return };
    if takes_key && answer.headers.contains_key("X-Generation") {
        let description =
            "With a key: the league, and the size and the root of its tree after that entry; absent before the tree";
        let schema = ObjectBuilder::new().schema_type(Type::String).build();
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build();
        answer.headers.insert("X-Record-Head".to_owned(), RefOr::T(header));
    }
}
