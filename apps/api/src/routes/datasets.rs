//! Historical datasets that a customer owns.

mod refresh;
mod status;

use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(status::show_dataset_status).service(refresh::refresh_datasets);
}
