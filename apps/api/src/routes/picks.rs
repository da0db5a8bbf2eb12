//! Picks of a betting selector. No selector is active, so every answer is empty: the paths are kept for clients that
//! still call them.

mod on_date;
mod performance;
mod response;
mod today;

pub(super) use response::{NOTE, PickItem, PicksRecord};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // `today` and `performance` are registered before the date, whose pattern matches them, too.
    config
        .service(operation!(today::list_todays_picks))
        .service(operation!(performance::get_picks_performance))
        .service(operation!(on_date::list_picks));
}
