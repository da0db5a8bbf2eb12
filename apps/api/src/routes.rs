//! The operations: a folder an area, a file an operation, wire types beside them.

pub mod backtest;
pub mod calibration;
pub mod cards;
pub mod clv;
pub mod corrections;
pub mod customers;
pub mod datasets;
pub mod discovery;
pub mod docs;
pub mod downloads;
pub mod edge_picks;
pub mod explore;
pub mod games;
pub mod health;
pub mod llms;
pub mod markets;
pub mod model_tracking;
pub mod models;
pub mod moves;
pub mod odds;
pub mod picks;
pub mod predictions;
pub mod public;
pub mod record;
pub mod releases;
pub mod results;
pub mod root;
pub mod security_txt;
pub mod slate;
pub mod strategies;
pub mod stream;
pub mod summary;
pub mod verify;
pub mod webhooks;

use utoipa_actix_web::service_config::ServiceConfig;

/// Every operation of the API, in the order in which a request is compared with them: what is requested most comes first, and
/// the many paths of the record come last.
pub fn all(config: &mut ServiceConfig<'_>) {
    config
        .configure(results::routes)
        .configure(predictions::routes)
        .configure(odds::routes)
        .configure(slate::routes)
        .configure(root::routes)
        .configure(health::routes)
        .configure(releases::routes)
        .configure(stream::routes)
        .configure(discovery::routes)
        .configure(models::routes)
        .configure(customers::routes)
        .configure(webhooks::routes)
        .configure(datasets::routes)
        .configure(public::routes)
        .configure(games::routes)
        .configure(summary::routes)
        .configure(model_tracking::routes)
        .configure(calibration::routes)
        .configure(clv::routes)
        .configure(strategies::routes)
        .configure(backtest::routes)
        .configure(markets::routes)
        .configure(picks::routes)
        .configure(edge_picks::routes)
        .configure(corrections::routes)
        .configure(record::routes);
}
