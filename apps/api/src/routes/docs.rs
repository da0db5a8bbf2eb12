//! The OpenAPI document and the page that shows it. They are not operations, so the document does not list them.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};
use actix_web::web::{Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_content::ObjectHash;
use sports_http_transport::{Audience, KeptBody};
use sports_ports::seasons::Weighed;
use utoipa_swagger_ui::Config;

use crate::auth::{Anyone, PublicCaller};
use crate::caching::{accepted_encoding, etag};
use crate::error::ApiError;
use crate::openapi::Document;
use crate::operation::undocumented;
use crate::params::Params;

/// The paths of this area.
pub(crate) const PATHS: [&str; 3] = ["/openapi.json", "/docs", "/docs/{file}"];

/// The page and its own files: name, media type and content.
const OWN_FILES: [(&str, &str, &str); 4] = [
    (INDEX, "text/html; charset=utf-8", include_str!("docs/index.html")),
    ("page.css", "text/css; charset=utf-8", include_str!("docs/page.css")),
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

/// The document and the files of the page, ready to send; each is compressed at most once per process.
pub(crate) struct Documentation {
    document: File,
    page: HashMap<&'static str, File>,
}

/// A file of a page, compressed at most once.
pub(crate) struct File {
    name: String,
    body: KeptBody,
}

impl Documentation {
    /// Collects the files, all of which are in the program, so that the page works without a network. Its addresses
    /// are relative, so it works below a prefix.
    pub(crate) fn new(document: &Document) -> Self {
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
        let json = HeaderValue::from_static("application/json");
        Self {
            document: File::new("openapi.json", json, document.bytes().clone()),
            page: own_files.chain(library_files).collect(),
        }
    }
}

impl File {
    pub(super) fn new(name: &str, content_type: HeaderValue, content: Bytes) -> Self {
        Self {
            name: format!("{name} {}", ObjectHash::from_bytes(&content)),
            body: KeptBody::new(content_type, content),
        }
    }

    /// Returns the content.
    pub(super) fn bytes(&self) -> Bytes {
        self.body.bytes()
    }

    pub(super) async fn send(&self, request: &HttpRequest) -> HttpResponse {
        let validator = etag(&[&self.name], accepted_encoding(request));
        let mut response = validator.response(request, Audience::Public);
        if validator.is_current(request) {
            return response.finish();
        }
        self.body.send(validator.encoding(), response).await
    }
}

impl Weighed for File {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.body.weight()
    }
}

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(undocumented(Method::GET, "/openapi.json", openapi_json))
        .service(undocumented(Method::GET, "/docs", redirect))
        .service(undocumented(Method::GET, "/docs/{file:.*}", page));
}

async fn openapi_json(
    _caller: PublicCaller,
    _params: Params<()>,
    request: HttpRequest,
    docs: Data<Documentation>,
) -> HttpResponse {
    docs.document.send(&request).await
}

async fn redirect(_caller: Anyone) -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(
    _caller: PublicCaller,
    request: HttpRequest,
    name: Path<String>,
    docs: Data<Documentation>,
) -> Result<HttpResponse, ApiError> {
    let name = if name.is_empty() { INDEX } else { &name };
    let file = docs.page.get(name).ok_or(ApiError::NoSuchPath)?;
    let mut response = file.send(&request).await;
    // With 304, too: a cached copy takes over the headers of the 304.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}
