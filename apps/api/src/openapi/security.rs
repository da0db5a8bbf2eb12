//! The security requirements of operations in the document.

use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Header, HeaderBuilder, Ref, RefOr};

use crate::codes::TierCode;

const HEADER: &str = "api_key_header";
const BEARER: &str = "api_key_bearer";
const QUERY: &str = "api_key_query";

/// Describes the three ways to send a key.
pub(super) fn add_schemes(components: &mut Components) {
    let described = |name, description| ApiKeyValue::with_description(name, description);
    components.add_security_scheme(
        HEADER,
        SecurityScheme::ApiKey(ApiKey::Header(described("X-API-Key", "The recommended way to send a key."))),
    );
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.description = Some("The same key as a bearer token; `X-API-Key` takes precedence.".to_owned());
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    components.add_security_scheme(
        QUERY,
        SecurityScheme::ApiKey(ApiKey::Query(described(
            "api_key",
            "The same key in the query. Discouraged: queries reach logs on the way.",
        ))),
    );
}

/// Marks an operation as open without a key.
pub(crate) fn open_to_the_public(operation: &mut Operation) {
    operation.security = Some(vec![SecurityRequirement::default()]);
}

/// Marks an operation as open without a key, and with a key for some of its requests.
pub(crate) fn open_with_a_key_for_more(operation: &mut Operation) {
    behind_a_key(operation);
    operation.security.get_or_insert_default().insert(0, SecurityRequirement::default());
}

/// Marks an operation as open to a key in any of the three places, and describes the quota headers of its answers.
pub(crate) fn behind_a_key(operation: &mut Operation) {
    let any_key = [HEADER, BEARER, QUERY].map(|scheme| SecurityRequirement::new(scheme, Vec::<String>::new()));
    operation.security = Some(any_key.into());
    // A fault may occur before the caller is known, and with 401 the caller is unknown.
    let without_quota = ["401", "500", "503"];
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && !without_quota.contains(&status.as_str())
        {
            response.headers.extend(quota_headers().map(|(name, header)| (name.to_owned(), RefOr::T(header))));
        }
    }
}

fn quota_headers() -> [(&'static str, Header); 4] {
    let typed = |schema: RefOr<Schema>, description: &str| {
        HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
    };
    let number = |description| typed(ObjectBuilder::new().schema_type(Type::Integer).into(), description);
    [
        ("X-RateLimit-Limit", number("Requests a calendar month (UTC)")),
        ("X-RateLimit-Remaining", number("Requests left this month")),
        ("X-RateLimit-Reset", number("The end of the month, in Unix seconds")),
        ("X-RateLimit-Tier", typed(Ref::from_schema_name(TierCode::name()).into(), "The level of access")),
    ]
}
