//! The value of the models' picks at the closing line.

mod query;
mod response;
mod show;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show::show_clv));
}
