//! Picks of a betting selector. None is active, so all of it is empty: the paths are kept for clients
//! that still ask.

mod on_date;
mod performance;
mod response;
mod today;

pub(super) use response::{NOTE, PickItem, PicksRecord};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // The two words go before the date, which would take them for one.
    config
        .service(operation!(today::list_todays_picks))
        .service(operation!(performance::get_picks_performance))
        .service(operation!(on_date::list_picks));
}
