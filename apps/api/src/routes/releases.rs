//! The releases of a league.

use std::sync::Arc;

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_publication::Generation;
use sports_usecases::record::LeagueGeneration;
use sports_usecases::releases::{RecentRelease, RecentReleases, ReleasesPage, SeasonChange};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Json};
use crate::auth::PublicCaller;
use crate::codes::{ClockSourceCode, Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::examples::read_example;
use crate::operation::operation;
use crate::params::{FromParams, ParamReader, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_releases));
}

/// The newest releases of a league.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleasesResponse {
    /// The league.
    sport: SportCode,
    /// The SHA-256 of the newest entry of the league's log: the head of its chain. With a kept copy, a later change
    /// of anything up to this entry can be proved.
    #[schema(example = "5bd5f6c8af349ab98007b54a9e7350b30f8552577b62b2dffa24fe09c5538956")]
    head: String,
    /// True if the record is simulated: it has releases that were published at a time set by hand.
    simulated: bool,
    /// The releases, newest first: 20 at most without `limit`.
    releases: Vec<ReleaseItem>,
    /// With `before` or `limit`: the `before` of the next page; null on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    #[expect(clippy::option_option, reason = "absent without a page, and null on the last one")]
    next_before: Option<Option<u64>>,
}

/// The page of a list of releases.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReleasesQuery {
    /// Only releases below this generation.
    #[param(value_type = Option<u64>, minimum = 1)]
    before: Option<Generation>,
    /// The largest number of releases.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
}

impl FromParams for ReleasesQuery {
    const TAKES: &'static [&'static str] = &["before", "limit"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let before = params.generation("before")?;
        Ok(Self { before, limit: params.whole_number("limit", 1..=RecentReleases::MOST)? })
    }
}

impl ReleasesQuery {
    /// Returns true if the query is for a page.
    const fn is_page(&self) -> bool {
        self.before.is_some() || self.limit.is_some()
    }

    /// Returns the largest number of releases.
    fn limit(&self) -> usize {
        self.limit.unwrap_or(RecentReleases::LISTED)
    }
}

/// One release: an entry of the league's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseItem {
    /// The number of the entry: 1 for a league's first, then one more for each entry.
    generation: u64,
    /// The id of the release.
    #[schema(example = "2025-12-22.20261121T084540798Z.e6ad50336857")]
    release_id: String,
    /// The time at which the release was published.
    published_at: DateTime<Utc>,
    /// The clock that this time was read from.
    clock: ClockSourceCode,
    /// The date of the latest slate published.
    slate_date: NaiveDate,
    /// The SHA-256 of the entry.
    sha256: String,
    /// The SHA-256 of the entry before, as this entry has it; null for the first entry.
    #[schema(required)]
    previous: Option<String>,
    /// The changes by this release.
    changed: ReleaseChanges,
}

/// The changes by a release.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseChanges {
    /// True if the release brought odds.
    odds: bool,
    /// The markets for which the release brought predictions.
    predictions: Vec<ModelTypeCode>,
    /// The seasons that the release changed.
    results: Vec<ReleaseSeasonChange>,
    /// The models that the release declared, in order of declaration.
    models_declared: Vec<ModelNameCode>,
    /// The models that the release retired, in order of declaration.
    models_retired: Vec<ModelNameCode>,
}

/// The change by a release in one season of one market.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseSeasonChange {
    /// The market.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// The games of the season since then, graded or not.
    #[schema(example = 285)]
    games: usize,
    /// The number of games added.
    #[schema(example = 16)]
    games_added: i64,
    /// The number of decided games added; below zero if finals were withdrawn.
    #[schema(example = 15)]
    decided_added: i64,
}

impl ReleasesResponse {
    fn new(newest: &LeagueGeneration, page: ReleasesPage, is_page: bool) -> Self {
        Self {
            sport: Code(newest.catalog().sport),
            head: newest.entry.digest.to_string(),
            simulated: newest.simulated,
            releases: page.releases.into_iter().map(ReleaseItem::from).collect(),
            next_before: is_page.then(|| page.next_before.map(Generation::get)),
        }
    }
}

impl From<RecentRelease> for ReleaseItem {
    fn from(release: RecentRelease) -> Self {
        let catalog = &release.entry.catalog;
        Self {
            generation: catalog.generation.get(),
            release_id: catalog.release_id.to_string(),
            published_at: catalog.published_at,
            clock: Code(catalog.clock),
            slate_date: catalog.slate_date,
            sha256: release.entry.digest.to_string(),
            previous: catalog.previous.map(|previous| previous.to_string()),
            changed: ReleaseChanges {
                odds: release.odds,
                predictions: release.predictions.into_iter().map(Code).collect(),
                results: release.seasons.into_iter().map(ReleaseSeasonChange::from).collect(),
                models_declared: release.models_declared.into_iter().map(Code).collect(),
                models_retired: release.models_retired.into_iter().map(Code).collect(),
            },
        }
    }
}

impl From<SeasonChange> for ReleaseSeasonChange {
    fn from(change: SeasonChange) -> Self {
        Self {
            model_type: Code(change.model_type),
            season: change.season.to_string(),
            games: change.games,
            games_added: change.games_added,
            decided_added: change.decided_added,
        }
    }
}

/// List a league's newest releases
///
/// The publication time and the changes of each release, newest first, and the hashes that chain them. Each entry of
/// the log has the SHA-256 of the entry before, so a kept `head` shows any later change of what was published up to
/// it. `sportsctl verify` checks the chain and every object that it names. `before` and `limit` list older releases, page by
/// page: send a page's `next_before` as the `before` of the next.
#[utoipa::path(
    get, path = "/api/v1/releases/{sport}",
    tag = "record",
    params(SportPath, ReleasesQuery),
    responses(
        (status = 200, description = "The releases", body = ReleasesResponse,
            example = json!(read_example(include_str!("releases/example.json")))),
        Unchanged,
        (status = 404, description = "Nothing was published for that league", body = ErrorBody),
        DependencyDown,
    ),
)]
async fn list_releases(
    _caller: PublicCaller,
    path: Path<Sport>,
    params: Params<ReleasesQuery>,
    answer: Answer,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let releases = Arc::clone(&state.published.releases);
    let newest = releases.newest(sport)?;
    let newest = newest.ok_or_else(|| ApiError::NotFound(format!("Nothing is published for {sport}")))?;
    let key = (newest.entry.digest, query.before, query.limit);
    let making = async move {
        let page = releases.up_to(&newest, query.before, query.limit()).await?;
        Ok(Json(ReleasesResponse::new(&newest, page, query.is_page())))
    };
    answer.public().respond(&key, making).await
}
