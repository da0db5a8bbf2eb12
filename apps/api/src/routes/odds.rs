//! What a sportsbook posts for the current slate.

mod list;
mod response;

use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list::list_odds);
}
