//! Graded history: rows of games, and which seasons there are.

mod answer;
mod failure;
mod format;
mod list;
mod query;
mod row;
mod seasons;

pub use format::Format;
use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list::list_results).service(seasons::list_result_seasons);
}
