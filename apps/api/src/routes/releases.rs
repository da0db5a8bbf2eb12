//! The releases of a league.

pub(crate) mod feed;

use std::sync::Arc;

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;
use sports_publication::Generation;
use sports_usecases::record::LeagueGeneration;
use sports_usecases::releases::{RecentRelease, RecentReleases, ReleasesPage, SeasonChange};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Json};
use crate::auth::PublicCaller;
use crate::codes::{ClockSourceCode, Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::examples::read_example;
use crate::operation::operation;
use crate::params::{Given, Params};
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::state::State;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_releases));
}

wire! {
    /// The newest releases of a league.
    pub struct ReleasesResponse(newest: &LeagueGeneration, page: ReleasesPage, is_page: bool) {
        /// The league.
        sport: SportCode = Code(newest.catalog().sport),
        /// The SHA-256 of the newest entry of the league's log: the head of its chain. With a kept copy, a later change
        /// of anything up to this entry can be proved.
        #[schema(example = "5bd5f6c8af349ab98007b54a9e7350b30f8552577b62b2dffa24fe09c5538956")]
        head: String = newest.entry.digest.to_string(),
        /// True if the record is simulated: it has releases that were published at a time set by hand.
        simulated: bool = newest.simulated,
        /// The releases, newest first: 20 at most without `limit`.
        releases: Vec<ReleaseItem> = page.releases.into_iter().map(ReleaseItem::new).collect(),
        /// With `before` or `limit`: the `before` of the next page; null on the last page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<u64>)]
        next_before: Option<Option<u64>> = is_page.then(|| page.next_before.map(Generation::get)),
    }
}

query_params! {
    /// The page of a list of releases.
    #[derive(Debug, Clone, Copy)]
    pub struct ReleasesQuery {
        /// Only releases below this generation.
        #[param(value_type = Option<u64>, minimum = 1)]
        before: Option<Generation> = Given::generation,
        /// The largest number of releases.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
        limit: Option<usize> = |given| given.whole_number(1..=RecentReleases::MOST),
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

wire! {
    /// One release: an entry of the league's log.
    pub struct ReleaseItem(release: RecentRelease) {
        let catalog = &release.entry.catalog;

        /// The number of the entry: 1 for a league's first, then one more for each entry.
        generation: u64 = catalog.generation.get(),
        /// The id of the release.
        #[schema(example = "2025-12-22.20261121T084540798Z.e6ad50336857")]
        release_id: String = catalog.release_id.to_string(),
        /// The time at which the release was published.
        published_at: DateTime<Utc> = catalog.published_at,
        /// The clock that this time was read from.
        clock: ClockSourceCode = Code(catalog.clock),
        /// The date of the latest slate published.
        slate_date: NaiveDate = catalog.slate_date,
        /// The SHA-256 of the entry.
        sha256: String = release.entry.digest.to_string(),
        /// The SHA-256 of the entry before, as this entry has it; null for the first entry.
        #[schema(required)]
        previous: Option<String> = catalog.previous.map(|previous| previous.to_string()),
        /// The changes by this release.
        changed: ReleaseChanges = ReleaseChanges::new(release),
    }
}

wire! {
    /// The changes by a release.
    pub struct ReleaseChanges(release: RecentRelease) {
        /// True if the release brought odds.
        odds: bool = release.odds,
        /// The markets for which the release brought predictions.
        predictions: Vec<ModelTypeCode> = release.predictions.into_iter().map(Code).collect(),
        /// The seasons that the release changed.
        results: Vec<ReleaseSeasonChange> = release.seasons.into_iter().map(ReleaseSeasonChange::new).collect(),
        /// The models that the release declared, in order of declaration.
        models_declared: Vec<ModelNameCode> = release.models_declared.into_iter().map(Code).collect(),
        /// The models that the release retired, in order of declaration.
        models_retired: Vec<ModelNameCode> = release.models_retired.into_iter().map(Code).collect(),
    }
}

wire! {
    /// The change by a release in one season of one market.
    pub struct ReleaseSeasonChange(change: SeasonChange) {
        /// The market.
        model_type: ModelTypeCode = Code(change.model_type),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = change.season.to_string(),
        /// The games of the season since then, graded or not.
        #[schema(example = 285)]
        games: usize = change.games,
        /// The number of games added.
        #[schema(example = 16)]
        games_added: i64 = change.games_added,
        /// The number of decided games added; below zero if finals were withdrawn.
        #[schema(example = 15)]
        decided_added: i64 = change.decided_added,
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
    params(SportPath),
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
