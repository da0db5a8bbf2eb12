//! A customer's own account: profile, usage and keys.

mod create_key;
mod failure;
mod list_keys;
mod rename_key;
mod revoke_key;
mod show;
mod usage;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(show::show_customer))
        .service(operation!(usage::show_usage))
        .service(operation!(list_keys::list_api_keys))
        .service(operation!(create_key::create_api_key))
        .service(operation!(rename_key::rename_api_key))
        .service(operation!(revoke_key::revoke_api_key));
}
