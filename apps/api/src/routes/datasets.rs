//! Historical datasets that a customer owns.

mod last_refresh;
mod refresh;
mod status;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(status::show_dataset_status))
        .service(operation!(refresh::refresh_datasets))
        .service(operation!(last_refresh::show_last_refresh));
}
