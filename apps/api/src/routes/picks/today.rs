use actix_web::web::{Data, Json};
use sports_domain::eastern_date;
use sports_ports::Clock;

use super::response::{NOTE, PicksOfDayResponse};
use crate::auth::AnyKey;

/// List today's picks
///
/// Empty: no betting selector is active. The path stays for clients that still call it.
#[utoipa::path(
    get, path = "/api/v1/picks/today",
    tag = "picks",
    responses(
        (status = 200, description = "No picks", body = PicksOfDayResponse, example = json!({
            "date": "2025-01-15", "picks": [], "summary": { "total_picks": 0, "by_sport": {} }, "note": NOTE
        })),
    ),
)]
pub(super) async fn list_todays_picks(_caller: AnyKey, clock: Data<dyn Clock>) -> Json<PicksOfDayResponse> {
    Json(PicksOfDayResponse::for_date(eastern_date(clock.now())))
}
