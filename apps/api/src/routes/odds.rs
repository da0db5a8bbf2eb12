//! A sportsbook's odds: those of the current slate, and their movement.

mod closing;
mod failure;
mod history;
mod history_game;
mod list;
mod posted_lines;
mod response;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

pub use failure::history_failure;
pub use history_game::{GameStarts, HistoryGame};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_odds))
        .service(operation!(history::show_odds_history))
        .service(operation!(closing::list_closing_odds));
}
