//! Corrections of what was recorded.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{GameKey, Sport, eastern_instant};
use sports_ports::tables::TableColumn;
use sports_publication::{Correction, CorrectionPage, Generation, RecordChange, RecordedEnding};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, CorrectionKindCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::format::Format;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FromParams, ParamReader, Params, format_of};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::tables::{TableOf, Tabular, columns};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_corrections));
}

/// List corrections of what was recorded
///
/// Every change of a game with a live forecast after it was recorded: another final or status, another start, a withdrawn
/// forecast. A first final corrects nothing, nor does a first status without a final. The list is read from the leaves of the
/// league's tree alone, so each item has the index of its leaf, and nothing from before the tree is in it: `complete_since` is
/// the generation from which it is complete. JSON comes in pages, oldest correction first; CSV, NDJSON and Parquet hold every
/// correction since `since_generation`.
#[utoipa::path(
    get, path = "/api/v1/corrections/{sport}",
    tag = "results",
    params(SportPath, CorrectionsQuery),
    responses(
        (status = 200, description = "The corrections", body = CorrectionsResponse,
            example = json!(read_example(include_str!("corrections/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn list_corrections(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<CorrectionsQuery>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let answer = answer.in_format(query.format());
    let (since, limit) = (query.since(), query.limit(answer.format().is_table())?);
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("Nothing is published for {sport}"));
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone()).ok_or_else(nothing)?;
    let moment = at.moment().clone();
    let page = state.published.corrections.page(&moment, since, limit).await?;
    let making = async move { Ok(Rows(CorrectionsResponse::new(sport, &page))) };
    answer.at(&at).validated_by_body().respond(&(sport, since, limit, newest), making).await
}

/// The parameters of a list of corrections.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CorrectionsQuery {
    /// The first generation whose corrections are listed; without it the first one with a tree. Send a page's
    /// `next_generation` for the next page. To read on later, send the number in `X-Generation` plus one.
    #[param(value_type = Option<u64>, minimum = 1)]
    since_generation: Option<Generation>,
    /// The number of corrections of a page of JSON. A page ends with the end of a generation, and so may have more.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 100)]
    limit: Option<usize>,
    /// The form of the answer; without it the `Accept` header decides.
    format: Option<Format>,
}

const LIMIT: &str = "limit";

const DEFAULT_LIMIT: usize = 100;

const MOST: usize = 1000;

impl FromParams for CorrectionsQuery {
    const TAKES: &'static [&'static str] = &["since_generation", LIMIT, "format"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let since_generation = params.generation("since_generation")?;
        let limit = params.whole_number(LIMIT, 1..=MOST)?;
        Ok(Self { since_generation, limit, format: format_of(params)? })
    }
}

impl CorrectionsQuery {
    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the first generation whose corrections are listed.
    pub fn since(&self) -> Generation {
        self.since_generation.unwrap_or(Generation::FIRST)
    }

    /// Returns the number of corrections of a page; a table holds all of them.
    pub fn limit(&self, is_table: bool) -> Result<usize, ApiError> {
        match (is_table, self.limit) {
            (true, Some(_)) => Err(ApiError::BadRequest(format!("`{LIMIT}` applies to JSON; tables return every row"))),
            (true, None) => Ok(usize::MAX),
            (false, limit) => Ok(limit.unwrap_or(DEFAULT_LIMIT)),
        }
    }
}

/// The corrections of a league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CorrectionPage)]
pub struct CorrectionsResponse {
    /// The league.
    sport: SportCode,
    /// The corrections, oldest first. A page ends with the end of a generation.
    corrections: Vec<CorrectionItem>,
    /// The `since_generation` of the next page; null on the last one.
    #[schema(required, example = 841)]
    next_generation: Option<u64>,
    /// The first generation with a tree, from which the list is complete; null before the tree.
    #[schema(required, example = 501)]
    complete_since: Option<u64>,
}

/// A correction of what was recorded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecordCorrection)]
pub struct CorrectionItem {
    /// The generation that made the correction.
    #[schema(example = 812)]
    generation: u64,
    /// The time at which that generation was published.
    published_at: DateTime<Utc>,
    /// The kind of the correction.
    kind: CorrectionKindCode,
    /// The market of a withdrawn forecast; null for other kinds, which are of a game.
    #[schema(required)]
    model_type: Option<ModelTypeCode>,
    /// The label of the game's season.
    #[schema(example = "2023-24")]
    season: String,
    /// The game, under its start after the correction.
    game: CorrectedGame,
    /// The values before; null for a withdrawn forecast.
    #[schema(required)]
    before: Option<CorrectedValues>,
    /// The values after; null for a withdrawn forecast.
    #[schema(required)]
    after: Option<CorrectedValues>,
    /// The index of the leaf in the league's tree.
    #[schema(example = 4200)]
    record_index: u64,
}

/// A game as a leaf names it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CorrectedGame {
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
    /// The number within a doubleheader whose times are unknown; absent for other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game_number: Option<u8>,
}

/// The values that a correction changed: score and status of an ending, or a start.
#[derive(Debug, Default, Serialize, ToSchema)]
#[expect(clippy::option_option, reason = "absent in the other kind, and null where the game has no such value")]
pub struct CorrectedValues {
    /// The visitors' points; null without a final, absent for a start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>, example = 17)]
    away_score: Option<Option<u32>>,
    /// The home team's points; null without a final, absent for a start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>, example = 10)]
    home_score: Option<Option<u32>>,
    /// `settled`, or the reason for a missing final; null without either, absent for a start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "settled")]
    settlement_status: Option<Option<String>>,
    /// The Eastern date of the start; absent for an ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<NaiveDate>,
    /// The Eastern time of the start, `HH:MM:SS`; null where it is unknown, absent for an ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "13:00:00")]
    time: Option<Option<NaiveTime>>,
    /// The start, UTC; null if its time is unknown, absent for an ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<DateTime<Utc>>)]
    starts_at: Option<Option<DateTime<Utc>>>,
}

impl CorrectionsResponse {
    /// Converts a page.
    pub fn new(sport: Sport, page: &CorrectionPage) -> Self {
        Self {
            sport: Code(sport),
            corrections: page.corrections.iter().map(CorrectionItem::from).collect(),
            next_generation: page.next.map(Generation::get),
            complete_since: page.complete_since.map(Generation::get),
        }
    }
}

impl From<&Correction> for CorrectionItem {
    fn from(correction: &Correction) -> Self {
        let Correction { generation, published_at, season, game, change, record_index } = correction;
        let (before, after) = match change {
            RecordChange::FinalCorrected { before, after } | RecordChange::StatusChanged { before, after } => {
                (Some(CorrectedValues::from(before)), Some(CorrectedValues::from(after)))
            }
            RecordChange::Rescheduled { before } => {
                (Some(CorrectedValues::from(before)), Some(CorrectedValues::from(game)))
            }
            RecordChange::ForecastWithdrawn { .. } => (None, None),
        };
        Self {
            generation: generation.get(),
            published_at: *published_at,
            kind: Code(change.kind()),
            model_type: change.model_type().map(Code),
            season: season.to_string(),
            game: CorrectedGame::from(game),
            before,
            after,
            record_index: *record_index,
        }
    }
}

impl From<&GameKey> for CorrectedGame {
    fn from(game: &GameKey) -> Self {
        Self {
            date: game.date,
            time: game.time,
            away_team: game.away.to_string(),
            home_team: game.home.to_string(),
            game_number: game.game_number,
        }
    }
}

impl From<&RecordedEnding> for CorrectedValues {
    fn from(ending: &RecordedEnding) -> Self {
        let (score, status) = match ending {
            RecordedEnding::Final { score, status } => (Some(*score), Some(status)),
            RecordedEnding::CalledOff { status } => (None, Some(status)),
            RecordedEnding::Gone => (None, None),
        };
        Self {
            away_score: Some(score.map(|score| score.away.into())),
            home_score: Some(score.map(|score| score.home.into())),
            settlement_status: Some(status.map(|status| status.as_str().to_owned())),
            ..Self::default()
        }
    }
}

impl From<&GameKey> for CorrectedValues {
    fn from(game: &GameKey) -> Self {
        Self {
            date: Some(game.date),
            time: Some(game.time),
            starts_at: Some(game.time.map(|time| eastern_instant(game.date, time))),
            ..Self::default()
        }
    }
}

/// Rows are corrections; each value has a column for before and one for after.
impl Tabular for CorrectionsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let items = TableOf::rows(&self.corrections).constant("sport", self.sport);
        let items = columns!(items, generation, published_at, kind, model_type, season);
        let items = items.part(|item| &item.game, CorrectedGame::columns);
        let items = items.part(|item| item.before.as_ref(), |values| CorrectedValues::columns(values, BEFORE));
        let items = items.part(|item| item.after.as_ref(), |values| CorrectedValues::columns(values, AFTER));
        columns!(items, record_index).columns()
    }
}

impl CorrectedGame {
    /// Adds the columns of a game.
    fn columns<'a>(games: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(games, date, time, away_team, home_team, game_number)
    }
}

/// The names of the columns of values before a correction.
const BEFORE: [&str; 6] = [
    "before_away_score",
    "before_home_score",
    "before_settlement_status",
    "before_date",
    "before_time",
    "before_starts_at",
];

/// The names of the columns of values after a correction.
const AFTER: [&str; 6] =
    ["after_away_score", "after_home_score", "after_settlement_status", "after_date", "after_time", "after_starts_at"];

impl CorrectedValues {
    /// Adds the columns of values under these names; a withdrawn forecast has no values.
    fn columns<'a>(values: TableOf<'a, Option<&'a Self>>, names: [&'static str; 6]) -> TableOf<'a, Option<&'a Self>> {
        let [away_score, home_score, settlement_status, date, time, starts_at] = names;
        values
            .column(away_score, |values| values?.away_score?)
            .column(home_score, |values| values?.home_score?)
            .column(settlement_status, |values| values?.settlement_status.as_ref()?.as_deref())
            .column(date, |values| values?.date)
            .column(time, |values| values?.time?)
            .column(starts_at, |values| values?.starts_at?)
    }
}
