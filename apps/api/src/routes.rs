//! The operations: a folder an area, a file an operation, wire types beside them.

pub mod customers;
pub mod datasets;
pub mod discovery;
pub mod docs;
pub mod downloads;
pub mod health;
pub mod results;
pub mod root;

use utoipa_actix_web::service_config::ServiceConfig;

/// Every operation of the API, in the order the document lists their areas.
pub fn all(config: &mut ServiceConfig<'_>) {
    config.configure(root::routes).configure(health::routes).configure(discovery::routes).configure(results::routes);
    config.configure(customers::routes).configure(datasets::routes);
}
