//! The document and the page that shows it. They are not operations, so the document leaves them out.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};
use actix_web::web::{Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_content::ObjectHash;
use utoipa_swagger_ui::Config;

use crate::answers::KeptBody;
use crate::auth::{Anyone, PublicCaller};
use crate::caching::{Audience, Etag};
use crate::error::ApiError;
use crate::openapi::Document;
use crate::operation::undocumented;

/// The paths of this area.
pub(crate) const PATHS: [&str; 3] = ["/openapi.json", "/docs", "/docs/{file}"];

/// What the page loads from its own folder, itself first.
const FILES: [&str; 8] = [
    "index.html",
    "index.css",
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-initializer.js",
    "favicon-16x16.png",
    "favicon-32x32.png",
];

/// The page's own scripts and styles, its pictures, of which some are written into the styles, and questions to this
/// server. Whatever else a document with foreign text in it might ask for is refused.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The document and the files of the page, ready to send: each is compressed once in the life of the program.
pub(crate) struct Documentation {
    document: File,
    page: HashMap<&'static str, File>,
}

struct File {
    name: String,
    body: KeptBody,
}

impl Documentation {
    /// Everything the page loads is in the program, so it works without a network; addresses are relative, so it works
    /// below a prefix.
    pub(crate) fn new(document: &Document) -> Self {
        let config = Config::new(["../openapi.json"]).validator_url("none").try_it_out_enabled(true);
        // The other layout has a bar to load other documents, which the policy refuses, and styles in its picture.
        let config = Arc::new(config.use_base_layout());
        let file = |name| {
            let file = utoipa_swagger_ui::serve(name, Arc::clone(&config)).ok().flatten()?;
            let content_type = HeaderValue::from_str(&file.content_type).ok()?;
            Some((name, File::new(name, content_type, file.bytes.into_owned().into())))
        };
        let json = HeaderValue::from_static("application/json");
        Self {
            document: File::new("openapi.json", json, document.bytes().clone()),
            page: FILES.into_iter().filter_map(file).collect(),
        }
    }
}

impl File {
    fn new(name: &str, content_type: HeaderValue, content: Bytes) -> Self {
        Self {
            name: format!("{name} {}", ObjectHash::from_bytes(&content)),
            body: KeptBody::new(content_type, content),
        }
    }

    async fn send(&self, request: &HttpRequest) -> HttpResponse {
        let validator = Etag::for_request(request, &[&self.name]);
        let mut response = validator.response(request, Audience::Public);
        if validator.is_current(request) { response.finish() } else { self.body.send(request, response).await }
    }
}

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(undocumented(Method::GET, "/openapi.json", openapi_json))
        .service(undocumented(Method::GET, "/docs", moved))
        .service(undocumented(Method::GET, "/docs/{file:.*}", page));
}

async fn openapi_json(_caller: PublicCaller, request: HttpRequest, docs: Data<Documentation>) -> HttpResponse {
    docs.document.send(&request).await
}

async fn moved(_caller: Anyone) -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(
    _caller: PublicCaller,
    request: HttpRequest,
    name: Path<String>,
    docs: Data<Documentation>,
) -> Result<HttpResponse, ApiError> {
    let name = if name.is_empty() { FILES[0] } else { &name };
    let file = docs.page.get(name).ok_or(ApiError::NoSuchPath)?;
    let mut response = file.send(&request).await;
    // With 304, too: a copy that is kept takes the headers of the answer that says it is current.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}
