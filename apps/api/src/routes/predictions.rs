//! The models' probabilities, with the lines that they refer to: those of the current slate, and those published before.

mod failure;
mod history;
mod known;
mod lines;
mod list;
mod models;
mod query;
mod response;

pub use lines::MarketLines;
pub use models::{ModelProbabilities, models_used};
pub use query::SlateQuery;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_predictions))
        .service(operation!(history::show_forecast_history))
        .service(operation!(known::fetch_known_season));
}
