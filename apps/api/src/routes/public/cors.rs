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

/// For how long a browser may remember what it was allowed, in seconds: a day.
const REMEMBERED: u32 = 24 * 60 * 60;

/// Answers the question a browser asks before a request with headers of its own. It is about no league and
/// no client, and not in the document.
pub(super) fn preflight(config: &mut ServiceConfig<'_>) {
    config.map(|config| config.service(undocumented(Method::OPTIONS, PREFLIGHTED, allowed)));
}

async fn allowed(_caller: Anyone) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match, X-Request-Id"))
        .insert_header((ACCESS_CONTROL_MAX_AGE, REMEMBERED))
        .finish()
}
