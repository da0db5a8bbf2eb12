use actix_web::web::Json;
use serde::Serialize;
use sports_domain::Sport;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::response::{NOTE, PicksRecord};
use crate::auth::AnyKey;
use crate::error::ApiError;
use crate::params::{FromParams, ParamReader, Params, UnknownParams};

/// The documented filters of a record of picks, which has no picks.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only the document reads it: every record is empty")]
pub struct PerformanceQuery {
    /// One league, in any letter case.
    #[param(inline, value_type = Option<LeagueWord>)]
    sport: Option<Sport>,
    /// One market, in any letter case.
    #[param(inline)]
    market: Option<PickMarket>,
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

impl FromParams for PerformanceQuery {
    const TAKES: &'static [&'static str] = &["sport", "market"];
    const UNKNOWN: Option<UnknownParams> = Some(UnknownParams::Ignored);

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let market = params.read("market", "one of spread, total, moneyline", PickMarket::read)?;
        Ok(Self { sport: params.parsed("sport")?, market })
    }
}

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
    params(PerformanceQuery),
    responses(
        (status = 200, description = "Zeros", body = PicksPerformanceResponse, example = json!(PicksPerformanceResponse::empty())),
    ),
)]
pub(super) async fn get_picks_performance(
    _caller: AnyKey,
    _params: Params<PerformanceQuery>,
) -> Json<PicksPerformanceResponse> {
    Json(PicksPerformanceResponse::empty())
}
