use actix_web::web::Json;
use utoipa::IntoParams;

use super::response::EdgePicksResponse;
use crate::auth::PublicCaller;

/// The documented query, which only old clients send.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only the document reads it")]
struct EdgePicksQuery {
    /// Accepted and ignored, whatever its value.
    sport: Option<String>,
}

/// List edge picks
///
/// Empty: no betting selector is active. The path stays for clients that still call it. Public.
#[utoipa::path(
    get, path = "/api/v1/edge-picks",
    tag = "picks",
    params(EdgePicksQuery),
    responses(
        (status = 200, description = "No picks", body = EdgePicksResponse, example = json!(EdgePicksResponse::for_date(None))),
    ),
)]
pub(super) async fn list_edge_picks(_caller: PublicCaller) -> Json<EdgePicksResponse> {
    Json(EdgePicksResponse::for_date(None))
}
