//! The record of a league as anybody may check it: tiles of its tree, signed checkpoints and keys; and, for holders of a key, the
//! proof of a forecast.

mod checkpoint;
mod checkpoints;
mod keys;
mod openings;
mod proof;
mod tile;
mod timestamp;

use actix_web::http::Method;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::{operation, undocumented};

/// The paths that the document leaves out: those of a record after a restart, whose answers are those of the paths without a
/// number, and tiles whose path has several segments.
pub(crate) const UNDOCUMENTED: [&str; 10] = [
    "/api/v1/record/{record}/{sport}/checkpoint",
    "/api/v1/record/{record}/{sport}/checkpoints",
    "/api/v1/record/{record}/{sport}/checkpoints/{size}",
    "/api/v1/record/{record}/{sport}/checkpoints/{size}/timestamps/{sha256}",
    "/api/v1/record/{record}/{sport}/tile/{level}/{number}",
    "/api/v1/record/{record}/{sport}/tile/{level}/{number}/{width}",
    "/api/v1/record/{record}/{sport}/tile/{level}/{thousand}/{number}/{width}",
    "/api/v1/record/{sport}/tile/{level}/{number}",
    "/api/v1/record/{sport}/tile/{level}/{number}/{width}",
    "/api/v1/record/{sport}/tile/{level}/{thousand}/{number}/{width}",
];

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(keys::list_record_keys))
        .service(operation!(checkpoint::show_checkpoint))
        .service(operation!(checkpoints::list_checkpoints))
        .service(operation!(checkpoint::show_signed_checkpoint))
        .service(operation!(timestamp::show_timestamp))
        .service(operation!(tile::show_tile).with_tail())
        .service(operation!(proof::show_proof))
        .service(operation!(openings::list_openings));
    config.map(|config| {
        config
            .service(undocumented(Method::GET, UNDOCUMENTED[0], checkpoint::show_checkpoint))
            .service(undocumented(Method::GET, UNDOCUMENTED[1], checkpoints::list_checkpoints))
            .service(undocumented(Method::GET, UNDOCUMENTED[2], checkpoint::show_signed_checkpoint))
            .service(undocumented(Method::GET, UNDOCUMENTED[3], timestamp::show_timestamp))
            .service(undocumented(Method::GET, "/api/v1/record/{record}/{sport}/tile/{tile:.*}", tile::show_tile))
    });
}
