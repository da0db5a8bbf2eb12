//! Graded history: rows of games, and which seasons there are.

mod answer;
mod density;
mod failure;
mod format;
mod item;
mod list;
mod page_body;
mod query;
mod response;
mod rolling;
mod seasons;
mod team_form;

pub use format::Format;
use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(list::list_results)
        .service(seasons::list_result_seasons)
        .service(rolling::show_rolling_curves)
        .service(density::show_result_density)
        .service(team_form::show_team_form);
}
