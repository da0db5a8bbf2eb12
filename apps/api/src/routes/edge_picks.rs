//! Edge picks: public, and always empty like the other picks.

mod list;
mod on_date;
mod response;
mod track_record;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // `track-record` is registered before the date, whose pattern matches it, too.
    config
        .service(operation!(list::list_edge_picks))
        .service(operation!(track_record::get_edge_picks_track_record))
        .service(operation!(on_date::list_edge_picks_of_day));
}
