//! Corrections of what was recorded.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{GameKey, Sport, eastern_instant};
use sports_ports::tables::TableColumn;
use sports_publication::{Correction, CorrectionPage, Generation, RecordChange, RecordedEnding};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, CorrectionKindCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::format::Format;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{AfterGeneration, Given, Params, page_rows, rows_of_page};
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::state::State;
use crate::wire::{Field, Subject, TableOf, Tabular, wire, with_fields};

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
/// correction since then.
#[utoipa::path(
    get, path = "/api/v1/corrections/{sport}",
    tag = "results",
    params(SportPath),
    responses(
        (status = 200, description = "The corrections", body = CorrectionsResponse,
            example = json!(read_example(include_str!("corrections/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn list_corrections(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Sport>,
    params: Params<CorrectionsQuery>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let answer = answer.in_format(query.format());
    let since = query.since();
    let limit = page_rows(answer.format().is_table(), query.limit)?.unwrap_or(usize::MAX);
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("Nothing is published for {sport}"));
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone()).ok_or_else(nothing)?;
    let moment = at.moment().clone();
    let page = state.published.corrections.page(&moment, since, limit).await?;
    // Under an embargo a page depends on the games that have started, too.
    let listed = moment.embargo().map(|_| page.corrections.iter().map(|correction| correction.record_index).collect());
    let key: (_, _, _, _, Option<Vec<u64>>) = (sport, since, limit, newest, listed);
    let making = async move { Ok(Rows(CorrectionsResponse::new(sport, &page))) };
    answer.at(&at).validated_by_body().respond(&key, making).await
}

query_params! {
    /// The parameters of a list of corrections.
    #[derive(Debug, Clone, Copy)]
    pub struct CorrectionsQuery {
        /// The first generation whose corrections are listed; without it the first one with a tree. Send a page's
        /// `next_generation` for the next page. To read on later, send the number in `X-Generation` as `after_generation`.
        #[param(value_type = Option<u64>, minimum = 1)]
        since_generation: Option<Generation> = Given::generation,
        /// The generation after which corrections are listed, such as the `X-Generation` of an earlier answer. Excludes
        /// `since_generation`.
        #[param(value_type = Option<u64>, minimum = 0)]
        after_generation: Option<AfterGeneration> = |given| after_generation(given, since_generation.is_some()),
        /// The number of corrections of a page of JSON. A page ends with the end of a generation, and so may have more.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 100)]
        limit: Option<usize> = rows_of_page,
        /// The form of the answer; without it the `Accept` header decides.
        format: Option<Format> = Given::format,
    }
}

fn after_generation(given: Given<'_>, has_first: bool) -> Result<Option<AfterGeneration>, ApiError> {
    let after = AfterGeneration::read(given)?;
    if has_first && after.is_some() {
        let detail = "`since_generation` and `after_generation` exclude each other: the first generation that you lack, or the last one that you have";
        return Err(ApiError::BadRequest(detail.to_owned()));
    }
    Ok(after)
}

impl CorrectionsQuery {
    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the first generation whose corrections are listed.
    pub fn since(&self) -> Generation {
        let after =
            self.after_generation.map(|AfterGeneration(after)| after.map_or(Generation::FIRST, Generation::next));
        self.since_generation.or(after).unwrap_or(Generation::FIRST)
    }
}

wire! {
    /// The corrections of a league.
    #[schema(as = CorrectionPage)]
    pub struct CorrectionsResponse(sport: Sport, page: &CorrectionPage) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The corrections, oldest first. A page ends with the end of a generation.
        corrections: Vec<CorrectionItem> = page.corrections.iter().map(CorrectionItem::new).collect(),
        /// The `since_generation` of the next page; null on the last one.
        #[schema(required, example = 841)]
        next_generation: Option<u64> = page.next.map(Generation::get),
        /// The first generation with a tree, from which the list is complete; null before the tree.
        #[schema(required, example = 501)]
        complete_since: Option<u64> = page.complete_since.map(Generation::get),
    }
}

wire! {
    /// A correction of what was recorded.
    #[schema(as = RecordCorrection)]
    pub row CorrectionItem(correction: &Correction) {
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

        /// The generation that made the correction.
        #[schema(example = 812)]
        generation: u64 = generation.get(),
        /// The time at which that generation was published.
        published_at: DateTime<Utc> = *published_at,
        /// The kind of the correction.
        kind: CorrectionKindCode = Code(change.kind()),
        /// The market of a withdrawn forecast; null for other kinds, which are of a game.
        #[schema(required)]
        model_type: Option<ModelTypeCode> = change.model_type().map(Code),
        /// The label of the game's season.
        #[schema(example = "2023-24")]
        season: String = season.to_string(),
        /// The game, under its start after the correction.
        game: CorrectedGame = CorrectedGame::new(game),
        /// The values before; null for a withdrawn forecast.
        #[schema(required)]
        before: Option<CorrectedValues> = before,
        /// The values after; null for a withdrawn forecast.
        #[schema(required)]
        after: Option<CorrectedValues> = after,
        /// The index of the leaf in the league's tree.
        #[schema(example = 4200)]
        record_index: u64 = *record_index,
    }
}

wire! {
    /// A game as a leaf names it.
    pub row CorrectedGame(game: &GameKey) {
        /// The Eastern date of the start.
        date: NaiveDate = game.date,
        /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time: Option<NaiveTime> = game.time,
        /// The visiting team's slug.
        #[schema(example = "buffalo_bills")]
        away_team: String = game.away.to_string(),
        /// The home team's slug.
        #[schema(example = "miami_dolphins")]
        home_team: String = game.home.to_string(),
        /// The number within a doubleheader whose times are unknown; absent for other games.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        game_number: Option<u8> = game.game_number,
    }
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
        with_fields(items).columns()
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

impl Field for CorrectedValues {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        name: &'static str,
        _: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        let names = if name == "before" { BEFORE } else { AFTER };
        let [away_score, home_score, settlement_status, date, time, starts_at] = names;
        table
            .column(away_score, |row| get(row)?.away_score?)
            .column(home_score, |row| get(row)?.home_score?)
            .column(settlement_status, |row| get(row)?.settlement_status.as_ref()?.as_deref())
            .column(date, |row| get(row)?.date)
            .column(time, |row| get(row)?.time?)
            .column(starts_at, |row| get(row)?.starts_at?)
    }
}
