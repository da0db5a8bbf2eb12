//! The document and the page that shows it. They are not operations, so the document leaves them out.

use actix_web::http::header::LOCATION;
use actix_web::web::{Data, ServiceConfig};
use actix_web::{HttpResponse, get};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::openapi::Document;

/// The paths of this area.
pub(crate) const PATHS: [&str; 3] = ["/openapi.json", "/docs", "/docs/{file}"];

/// Serves both. Everything the page loads is in the program, so it works without a network; addresses are
/// relative, so it works below a prefix.
pub(crate) fn configure(config: &mut ServiceConfig) {
    let page = Config::new(["../openapi.json"]).validator_url("none").try_it_out_enabled(true);
    config.service(openapi_json).service(docs).service(SwaggerUi::new("/docs/{_:.*}").config(page));
}

#[get("/openapi.json")]
async fn openapi_json(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.bytes().clone())
}

#[get("/docs")]
async fn docs() -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, "docs/")).finish()
}
