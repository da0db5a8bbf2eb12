//! Picks of a betting selector. No selector is active, so every answer is empty: the paths are kept for clients that
//! still call them.

use std::collections::BTreeMap;

use actix_web::CustomizeResponder;
use actix_web::web::Json;
use chrono::NaiveDate;
use serde::Serialize;
use sports_domain::{Sport, eastern_date};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::AnyKey;
use crate::codes::SportCode;
use crate::deprecation::EmptyPicks;
use crate::operation::operation;
use crate::params::{Given, Params, UnknownParams};
use crate::paths::{CalendarDate, Path};
use crate::query_params;
use crate::state::State;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    // `today` and `performance` are registered before the date, whose pattern matches them, too.
    config
        .service(operation!(list_todays_picks))
        .service(operation!(get_picks_performance))
        .service(operation!(list_picks));
}

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
async fn list_picks(
    _caller: AnyKey,
    path: Path<CalendarDate>,
    deprecated: EmptyPicks,
) -> CustomizeResponder<Json<PicksOfDayResponse>> {
    deprecated.answer(PicksOfDayResponse::new(path.0.0))
}

query_params! {
    /// The documented filters of a record of picks, which has no picks.
    #[derive(Debug)]
    #[expect(dead_code, reason = "only the document reads it: every record is empty")]
    pub struct PerformanceQuery {
        /// One league, in any letter case.
        #[param(inline, value_type = Option<LeagueWord>)]
        sport: Option<Sport> = Given::parsed,
        /// One market, in any letter case.
        #[param(inline)]
        market: Option<PickMarket> = |given| given.parse("one of spread, total, moneyline", PickMarket::read); first,
    }
    others = UnknownParams::Ignored;
}

/// A market in the vocabulary of picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum PickMarket {
    /// The point spread.
    Spread,
    /// The total (over/under).
    Total,
    /// The money line.
    Moneyline,
}

impl PickMarket {
    fn read(word: &str) -> Option<Self> {
        let words = [("spread", Self::Spread), ("total", Self::Total), ("moneyline", Self::Moneyline)];
        words.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, market)| market)
    }
}

/// The schema of a league in the vocabulary of picks.
struct LeagueWord;

impl PartialSchema for LeagueWord {
    fn schema() -> RefOr<Schema> {
        let words = Sport::ALL.map(|sport| sport.code().to_ascii_uppercase());
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some("A league as picks name it."));
        schema.enum_values(Some(words)).into()
    }
}

impl ToSchema for LeagueWord {}

/// The record of picks in four windows of time; retired, all zero.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = PicksPerformance)]
pub struct PicksPerformanceResponse {
    /// The last seven days.
    last_7_days: PicksRecord,
    /// The last thirty days.
    last_30_days: PicksRecord,
    /// The current season.
    season: PicksRecord,
    /// All time.
    all_time: PicksRecord,
    /// The reason that every figure is zero.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

impl PicksPerformanceResponse {
    fn empty() -> Self {
        Self { note: NOTE, ..Self::default() }
    }
}

/// Show how picks did
///
/// All zero: no betting selector is active. The path stays for clients that still call it.
#[utoipa::path(
    get, path = "/api/v1/picks/performance",
    tag = "picks",
    responses(
        (status = 200, description = "Zeros", body = PicksPerformanceResponse, example = json!(PicksPerformanceResponse::empty())),
    ),
)]
async fn get_picks_performance(
    _caller: AnyKey,
    _params: Params<PerformanceQuery>,
    deprecated: EmptyPicks,
) -> CustomizeResponder<Json<PicksPerformanceResponse>> {
    deprecated.answer(PicksPerformanceResponse::empty())
}

/// The reason that there are no picks, the same in every answer of this family.
pub(super) const NOTE: &str = "No validated betting selector is active, so there are no picks. Model \
                                          outputs are research signals, and no edge is guaranteed.";

/// A pick. It has no fields, as there are no picks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RetiredPick)]
pub struct PickItem {}

wire! {
    /// One day's picks.
    #[schema(as = PicksOfDay)]
    pub struct PicksOfDayResponse(date: NaiveDate) {
        let summary = PicksSummary { total_picks: 0, by_sport: BTreeMap::new() };

        /// The Eastern date of the picks.
        #[schema(format = Date, example = "2025-01-15")]
        date: String = date.to_string(),
        /// Always empty.
        picks: Vec<PickItem> = Vec::new(),
        /// The number of picks.
        summary: PicksSummary = summary,
        /// The reason that the list is empty.
        #[schema(example = json!(NOTE))]
        note: &'static str = NOTE,
    }
}

/// The number of picks.
#[derive(Debug, Serialize, ToSchema)]
pub struct PicksSummary {
    /// Always 0.
    #[schema(example = 0)]
    total_picks: u32,
    /// Picks by league; always empty.
    by_sport: BTreeMap<SportCode, u32>,
}

/// A record of picks; all zero, since picks are retired.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct PicksRecord {
    /// Picks made.
    #[schema(example = 0)]
    picks: u32,
    /// Picks won.
    #[schema(example = 0)]
    wins: u32,
    /// Picks lost.
    #[schema(example = 0)]
    losses: u32,
    /// Picks that landed on the line.
    #[schema(example = 0)]
    pushes: u32,
    /// Wins among decided picks, in percent.
    #[schema(example = 0.0)]
    win_pct: f64,
    /// Net units.
    #[schema(example = 0.0)]
    units: f64,
    /// Units won per unit staked, in percent.
    #[schema(example = 0.0)]
    roi: f64,
}

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
async fn list_todays_picks(
    _caller: AnyKey,
    state: State,
    deprecated: EmptyPicks,
) -> CustomizeResponder<Json<PicksOfDayResponse>> {
    deprecated.answer(PicksOfDayResponse::new(eastern_date(state.clock.now())))
}
