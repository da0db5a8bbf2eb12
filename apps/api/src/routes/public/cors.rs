use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::Anyone;
use crate::operation::undocumented;

/// The path whose answers a page of any origin may read.
pub const PREFLIGHTED: &str = "/api/v1/public/ml-picks/{sport}/{market}";

/// The time for which a browser may cache the permission, in seconds: a day.
const MAX_AGE: u32 = 24 * 60 * 60;

/// Adds the answer to a browser's preflight request, which it sends before a request with headers of its own. It
/// depends on no league and no client, and is not in the document.
pub(super) fn preflight(config: &mut ServiceConfig<'_>) {
    config.map(|config| config.service(undocumented(Method::OPTIONS, PREFLIGHTED, permission)));
}

async fn permission(_caller: Anyone) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match, X-Request-Id"))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}
