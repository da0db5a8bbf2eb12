use actix_web::web::Json;
use utoipa::IntoParams;

use super::response::{NOTE, PicksOfDayResponse};
use crate::auth::AnyKey;
use crate::paths::{CalendarDate, Path};

/// The documented parameter of the path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only the document reads it")]
struct DatePath {
    /// The day, `YYYY-MM-DD`.
    #[param(format = Date, example = "2025-01-15")]
    date: String,
}

/// List one day's picks
///
/// Empty: no betting selector is active. The path stays for clients that still call it.
#[utoipa::path(
    get, path = "/api/v1/picks/{date}",
    tag = "picks",
    params(DatePath),
    responses(
        (status = 200, description = "No picks", body = PicksOfDayResponse, example = json!({
            "date": "2025-01-15", "picks": [], "summary": { "total_picks": 0, "by_sport": {} }, "note": NOTE
        })),
    ),
)]
pub(super) async fn list_picks(_caller: AnyKey, path: Path<CalendarDate>) -> Json<PicksOfDayResponse> {
    Json(PicksOfDayResponse::for_date(path.0.0))
}
