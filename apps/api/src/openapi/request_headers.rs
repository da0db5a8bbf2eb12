use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Components, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Required};

use sports_telemetry::RequestId;

const REQUEST_ID: &str = "RequestId";
const IF_NONE_MATCH: &str = "IfNoneMatch";

/// Describes the request headers of operations. Any text is allowed in both: an invalid one is ignored, not refused.
pub(super) fn describe(components: &mut Components) {
    let request_id = header(
        "X-Request-Id",
        "Your own id for this request: 1 to 64 characters of `A-Za-z0-9._-`, but not a key. It is in the \
         answer's `X-Request-Id` and in the server's log. Without a valid id, the server makes one.",
    );
    debug_assert!(request_id.name.eq_ignore_ascii_case(RequestId::HEADER));
    let if_none_match = header(
        "If-None-Match",
        "The `ETag` of an answer that you have. If it is still current, the answer is 304, without a body.",
    );
    components.parameters.insert(REQUEST_ID.to_owned(), RefOr::T(request_id));
    components.parameters.insert(IF_NONE_MATCH.to_owned(), RefOr::T(if_none_match));
}

/// Adds the request headers to an operation: the request id to each, `If-None-Match` to operations that can answer
/// 304.
pub(super) fn add_to(operation: &mut Operation) {
    let unchanged = operation.responses.responses.contains_key("304").then_some(IF_NONE_MATCH);
    let headers = unchanged.into_iter().chain([REQUEST_ID]);
    let headers = headers.map(|name| RefOr::Ref(Ref::new(format!("#/components/parameters/{name}"))));
    operation.parameters.get_or_insert_default().extend(headers);
}

fn header(name: &str, description: &str) -> Parameter {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let header = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).required(Required::False);
    header.description(Some(description)).schema(Some(text)).build()
}
