//! Graded history: rows of games, seasons, and figures computed from them.

mod answer;
mod by_model;
mod density;
mod failure;
mod item;
mod list;
mod page_body;
pub(super) mod query;
mod response;
mod rolling;
pub(super) mod season_page;
mod seasons;
pub(super) mod seasons_table;
mod team_form;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_results))
        .service(operation!(seasons::list_result_seasons))
        .service(operation!(rolling::show_rolling_curves))
        .service(operation!(density::show_result_density))
        .service(operation!(team_form::show_team_form));
}
