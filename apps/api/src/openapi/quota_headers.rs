use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, HeaderBuilder, RefOr};

/// What every answer to a caller with a valid key says in its headers.
pub(super) fn add_to(operation: &mut Operation) {
    // A fault may strike before the caller is known, and 401 means that nobody is.
    let silent = ["401", "500", "503"];
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && !silent.contains(&status.as_str())
        {
            response.headers.extend(headers().map(|(name, header)| (name.to_owned(), RefOr::T(header))));
        }
    }
}

fn headers() -> [(&'static str, Header); 4] {
    let header = |kind, description: &str| {
        let schema = ObjectBuilder::new().schema_type(kind).build();
        HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
    };
    [
        ("X-RateLimit-Limit", header(Type::Integer, "Requests a calendar month (UTC)")),
        ("X-RateLimit-Remaining", header(Type::Integer, "Requests left this month")),
        ("X-RateLimit-Reset", header(Type::Integer, "When the month is over, in Unix seconds")),
        ("X-RateLimit-Tier", header(Type::String, "The level of access: `ai` or `free`")),
    ]
}
