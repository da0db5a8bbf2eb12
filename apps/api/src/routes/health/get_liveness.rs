use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_ports::Clock;
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::examples::instant;
use crate::params::Params;
use crate::wire::wire;

wire! {
    /// A sign that the process runs.
    #[schema(as = ServerLiveness)]
    pub struct LivenessResponse(timestamp: DateTime<Utc>) {
        /// Always `alive`.
        status: LivenessStatus = LivenessStatus::Alive,
        /// The time of the answer, UTC.
        timestamp: DateTime<Utc> = timestamp,
    }
}

/// A sign that the process runs: always `alive`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LivenessStatus {
    /// The process runs.
    Alive,
}

/// Check that the process runs
///
/// Answers 200 as long as the process can answer, even if its dependencies are unavailable. Restart the process when
/// this fails.
#[utoipa::path(
    get, path = "/api/v1/liveness",
    tag = "service",
    responses((status = 200, description = "The process runs", body = LivenessResponse,
        example = json!(LivenessResponse::new(instant())))),
)]
pub(super) async fn get_liveness(
    _caller: Anyone,
    _params: Params<()>,
    clock: Data<dyn Clock>,
) -> Json<LivenessResponse> {
    Json(LivenessResponse::new(clock.now()))
}
