//! Edge picks: public, and always empty like the other picks.

use actix_web::CustomizeResponder;
use actix_web::web::Json;
use chrono::NaiveDate;
use utoipa::IntoParams;
use utoipa_actix_web::service_config::ServiceConfig;

use super::picks::{NOTE, PickItem, PicksRecord};
use crate::auth::PublicCaller;
use crate::deprecation::EmptyPicks;
use crate::operation::operation;
use crate::paths::{CalendarDate, Path};
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // `track-record` is registered before the date, whose pattern matches it, too.
    config
        .service(operation!(list_edge_picks))
        .service(operation!(get_edge_picks_track_record))
        .service(operation!(list_edge_picks_of_day));
}

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
        (status = 200, description = "No picks", body = EdgePicksResponse, example = json!(EdgePicksResponse::new(None))),
    ),
)]
async fn list_edge_picks(_caller: PublicCaller, deprecated: EmptyPicks) -> CustomizeResponder<Json<EdgePicksResponse>> {
    deprecated.answer(EdgePicksResponse::new(None))
}

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
            example = json!(EdgePicksResponse::new(chrono::NaiveDate::from_ymd_opt(2025, 1, 15)))),
    ),
)]
async fn list_edge_picks_of_day(
    _caller: PublicCaller,
    path: Path<CalendarDate>,
    deprecated: EmptyPicks,
) -> CustomizeResponder<Json<EdgePicksResponse>> {
    deprecated.answer(EdgePicksResponse::new(Some(path.0.0)))
}

wire! {
    /// An empty list of edge picks.
    #[schema(as = EdgePicks)]
    pub struct EdgePicksResponse(date: Option<NaiveDate>) {
        /// The day that the request names; absent if it names no day.
        #[schema(format = Date, nullable = false, example = "2025-01-15")]
        #[serde(skip_serializing_if = "Option::is_none")]
        date: Option<String> = date.map(|date| date.to_string()),
        /// Always empty.
        picks: Vec<PickItem> = Vec::new(),
        /// Always 0.
        #[schema(example = 0)]
        total_picks: u32 = 0,
        /// The reason that the list is empty.
        #[schema(example = json!(NOTE))]
        note: &'static str = NOTE,
    }
}

wire! {
    /// The track record of edge picks, which are retired.
    #[schema(as = EdgePicksTrackRecord)]
    pub struct EdgePicksTrackRecordResponse(record: PicksRecord) {
        /// The record; every figure is zero.
        record: PicksRecord = record,
        /// Always empty.
        history: Vec<PickItem> = Vec::new(),
        /// The reason that the record is empty.
        #[schema(example = json!(NOTE))]
        note: &'static str = NOTE,
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
            example = json!(EdgePicksTrackRecordResponse::new(PicksRecord::default()))),
    ),
)]
async fn get_edge_picks_track_record(
    _caller: PublicCaller,
    deprecated: EmptyPicks,
) -> CustomizeResponder<Json<EdgePicksTrackRecordResponse>> {
    deprecated.answer(EdgePicksTrackRecordResponse::new(PicksRecord::default()))
}
