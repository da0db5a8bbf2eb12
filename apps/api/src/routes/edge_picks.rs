//! Edge picks: public, and as empty as the other picks.

mod list;
mod on_date;
mod response;
mod track_record;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // The word goes before the date, which would take it for one.
    config
        .service(operation!(list::list_edge_picks))
        .service(operation!(track_record::get_edge_picks_track_record))
        .service(operation!(on_date::list_edge_picks_of_day));
}
