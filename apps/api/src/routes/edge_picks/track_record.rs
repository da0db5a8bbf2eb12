use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::PublicCaller;
use crate::routes::picks::{NOTE, PickItem, PicksRecord};

/// The track record of edge picks, which are retired.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EdgePicksTrackRecord)]
pub struct EdgePicksTrackRecordResponse {
    /// The record; every figure is zero.
    record: PicksRecord,
    /// Always empty.
    history: Vec<PickItem>,
    /// The reason that the record is empty.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

impl EdgePicksTrackRecordResponse {
    fn empty() -> Self {
        Self { record: PicksRecord::default(), history: Vec::new(), note: NOTE }
    }
}

/// Show how edge picks did
///
/// All zero: no betting selector is active. The path stays for clients that still call it. Public.
#[utoipa::path(
    get, path = "/api/v1/edge-picks/track-record",
    tag = "picks",
    responses(
        (status = 200, description = "An empty record", body = EdgePicksTrackRecordResponse,
            example = json!(EdgePicksTrackRecordResponse::empty())),
    ),
)]
pub(super) async fn get_edge_picks_track_record(_caller: PublicCaller) -> Json<EdgePicksTrackRecordResponse> {
    Json(EdgePicksTrackRecordResponse::empty())
}
