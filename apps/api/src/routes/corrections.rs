//! Corrections of what was recorded.

mod list;
mod query;
mod response;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list::list_corrections));
}
