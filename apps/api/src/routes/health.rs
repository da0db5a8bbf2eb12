//! The state of the service and its data, for load balancers, programs and people.

mod get_data_status;
mod get_health;
mod get_liveness;
mod get_readiness;
mod list_data_status_history;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(get_health::get_health))
        .service(operation!(get_readiness::get_readiness))
        .service(operation!(get_liveness::get_liveness))
        .service(operation!(get_data_status::get_data_status))
        .service(operation!(list_data_status_history::list_data_status_history));
}
