use actix_web::web::Json;
use utoipa::IntoParams;

use super::response::EdgePicksResponse;
use crate::auth::PublicCaller;
use crate::paths::{CalendarDate, Path};

/// The documented parameter of the path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only the document reads it")]
struct DatePath {
    /// The day, `YYYY-MM-DD`.
    #[param(format = Date, example = "2025-01-15")]
    date_str: String,
}

/// List one day's edge picks
///
/// Empty: no betting selector is active. The path stays for clients that still call it. Public.
#[utoipa::path(
    get, path = "/api/v1/edge-picks/{date_str}",
    tag = "picks",
    params(DatePath),
    responses(
        (status = 200, description = "No picks", body = EdgePicksResponse,
            example = json!(EdgePicksResponse::for_date(chrono::NaiveDate::from_ymd_opt(2025, 1, 15)))),
    ),
)]
pub(super) async fn list_edge_picks_of_day(_caller: PublicCaller, path: Path<CalendarDate>) -> Json<EdgePicksResponse> {
    Json(EdgePicksResponse::for_date(Some(path.0.0)))
}
