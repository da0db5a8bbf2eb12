use sports_telemetry::RequestId;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Components, ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Header, HeaderBuilder, Ref, RefOr, Required};

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
pub(super) fn add_request_headers(operation: &mut Operation) {
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

/// Describes the headers of the 200 answer: `ETag` if the operation can answer 304, and the text for
/// `X-Grading-Rules` if the operation lists it.
pub(super) fn add_caching_headers(operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let has_name = responses.contains_key("304");
    let Some(RefOr::T(answer)) = responses.get_mut("200") else { return };
    if has_name {
        let description = "Identifies this answer; send it back in If-None-Match";
        answer.headers.entry("ETag".to_owned()).or_insert_with(|| caching_header(description));
    }
    if let Some(rules) = answer.headers.get_mut("X-Grading-Rules") {
        *rules = caching_header("The version of the grading rules");
    }
}

fn caching_header(description: &str) -> RefOr<Header> {
    let schema = ObjectBuilder::new().schema_type(Type::String).build();
    RefOr::T(HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build())
}

/// Describes the receipt of answers to holders of a key: those that name the generation they are of.
pub(super) fn add_receipt_header(operation: &mut Operation) {
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
