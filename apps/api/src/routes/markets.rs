//! What a model, a sportsbook and a prediction market say of the same games.

mod compare;
mod response;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(compare::compare_markets));
}
