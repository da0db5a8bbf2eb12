//! The description of the service.

mod get_root;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

pub use get_root::{Operator, RootMessage};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(get_root::get_root));
}
