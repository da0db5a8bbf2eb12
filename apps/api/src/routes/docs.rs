//! The OpenAPI document and the page that shows it. They are not operations, so the document does not list them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};
use actix_web::web::{Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use super::llms;
use crate::auth::{Anyone, PublicCaller};
use crate::caching::File;
use crate::error::ApiError;
use crate::operation::undocumented;
use crate::params::Params;
use crate::state::State;

/// The paths of this area.
pub(crate) const PATHS: [&str; 3] = ["/openapi.json", "/docs", "/docs/{file}"];

/// The page and its own files: name, media type and content.
const OWN_FILES: [(&str, &str, &str); 5] = [
    (INDEX, "text/html; charset=utf-8", include_str!("docs/index.html")),
    ("page.css", "text/css; charset=utf-8", include_str!("docs/page.css")),
    ("tokens.css", "text/css; charset=utf-8", include_str!("../../web/page/tokens.css")),
    ("page.js", "text/javascript; charset=utf-8", include_str!("docs/page.js")),
    ("icon.svg", "image/svg+xml", include_str!("docs/icon.svg")),
];

/// Files of the library that the page loads.
const LIBRARY_FILES: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];

/// The file that is served for the folder.
const INDEX: &str = "index.html";

/// The content policy: the page's own scripts and styles, pictures (also those within styles), and requests to this
/// server. The rest, such as an address in foreign text of a document, is refused.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the page, all of which are in the program, so that it works without a network. Its addresses are relative, so it
/// works below a prefix.
static PAGE: LazyLock<HashMap<&'static str, File>> = LazyLock::new(|| {
    // `utoipa_swagger_ui::serve` requires a configuration, which only the library's own page uses.
    let config = Arc::new(Config::new([""]));
    let library_files = LIBRARY_FILES.into_iter().filter_map(|name| {
        let file = utoipa_swagger_ui::serve(name, Arc::clone(&config)).ok().flatten()?;
        let content_type = HeaderValue::from_str(&file.content_type).ok()?;
        Some((name, File::new(name, content_type, file.bytes.into_owned().into())))
    });
    let own_files = OWN_FILES.into_iter().map(|(name, content_type, content)| {
        let content = Bytes::from_static(content.as_bytes());
        (name, File::new(name, HeaderValue::from_static(content_type), content))
    });
    own_files.chain(library_files).chain(llms::files()).collect()
});

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(undocumented(Method::GET, "/openapi.json", openapi_json))
        .service(undocumented(Method::GET, "/docs", redirect))
        .service(undocumented(Method::GET, "/docs/{file:.*}", page));
}

async fn openapi_json(_caller: PublicCaller, _params: Params<()>, request: HttpRequest, state: State) -> HttpResponse {
    state.interface.document.send(&request).await
}

async fn redirect(_caller: Anyone) -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(_caller: PublicCaller, request: HttpRequest, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let name = if name.is_empty() { INDEX } else { &name };
    let file = PAGE.get(name).ok_or(ApiError::NoSuchPath)?;
    let mut response = file.send(&request).await;
    // With 304, too: a cached copy takes over the headers of the 304.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}
