//! Free picks for callers without a key, from any page of the web.

mod cors;
mod list_picks;
mod response;

pub use cors::PREFLIGHTED;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_picks::list_public_picks)).configure(cors::preflight);
}
