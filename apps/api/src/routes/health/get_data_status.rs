use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{GameKey, ModelType, Sport};
use sports_http_transport::Audience;
use sports_publication::{ArtifactRef, Catalog, Run};
use sports_slate::freshness::MarketAssessment;
use sports_usecases::data_status::LeagueStatus;
use utoipa::ToSchema;

use crate::auth::PublicNow;
use crate::caching::Revalidated;
use crate::codes::{Code, DataStatusCode, DegradationCode, SlateActivityCode, SportCode};
use crate::error::{ApiError, NothingThere, ServiceFault, Unchanged};
use crate::examples::read_example;
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;

/// Check how fresh a league's data is
///
/// Reports whether a league has its data of today. For each market it has the times at which predictions, results,
/// summaries and model tracking were last published. No timestamp depends on the time of the request. A league
/// without any publication is answered with 200 and a null `release_id`. With `as_of` or `generation` it is the status at
/// that moment, which takes the key of an active subscription and counts as a call.
// In the example the spread predictions hold one game, and newer odds are published than the totals were built with.
#[utoipa::path(
    get, path = "/api/v1/data-status/{sport}",
    tag = "service",
    params(SportPath, MomentQuery),
    responses(
        (status = 200, description = "The status", body = DataStatusResponse,
            example = json!(read_example(include_str!("data_status_example.json")))),
        Unchanged,
        NothingThere,
        ServiceFault,
    ),
)]
pub(super) async fn get_data_status(
    _caller: PublicNow,
    path: Path<Sport>,
    params: Params<MomentQuery>,
    request: HttpRequest,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    // The status depends on the clock as well as on the log, so the answer's own text is its validator.
    let (Path(sport), Params(query)) = (path, params);
    if query.requested().is_none() {
        let status = state.published.data_status.league(sport).await?;
        let at = AnswerMoment::present(status.moment.clone());
        let answer = Revalidated(Audience::Public, DataStatusResponse::from_status(sport, &status));
        return Ok(answer.respond_at(&at, &request));
    }
    let at = moments.at(sport, &query).await?;
    let status = at.query(LeagueStatus::at(at.moment().clone())).await?;
    let answer = Revalidated(Audience::KeyHolder, DataStatusResponse::from_status(sport, &status));
    Ok(answer.respond_at(&at, &request))
}

/// The status of a league's data of today. Publication and source times are those of the published data.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DataStatus)]
pub struct DataStatusResponse {
    /// The league.
    sport: SportCode,
    /// The status of the data of today.
    status: DataStatusCode,
    /// True if today's slate is served. False for `partial`, `stale` and `unknown`, except that `stale` with
    /// `predictions_stale` leaves it true: the predictions published before are still served.
    operational: bool,
    /// The reason that the data is not fully up to date; null if it is.
    #[schema(required)]
    degradation_reason: Option<DegradationCode>,
    /// True if newer odds are published and the predictions of some market are not rebuilt with them yet.
    refresh_pending: bool,
    /// Today's Eastern date.
    date: NaiveDate,
    /// The deadline for today's data: 10:15 Eastern, as an instant.
    deadline: DateTime<Utc>,
    /// True if the league's record is simulated: it has releases that were published at a time set by hand.
    simulated: bool,
    /// The latest release; null if there is no release yet.
    #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
    release_id: Option<String>,
    /// The run that decides the status: the last completed run if it was for today or later, else the last run
    /// started for the latest slate; null if no run is known.
    #[schema(required)]
    run: Option<PublisherRun>,
    /// The status of each of the league's markets.
    markets: MarketStatuses,
    /// The publication and source time of the current odds; null if no odds are published.
    #[schema(required)]
    odds: Option<OddsStatus>,
    /// Games that were to be played before today, have no final and were not called off.
    awaiting_settlement: AwaitingSettlement,
}

/// Publication and source time of the current odds.
#[derive(Debug, Serialize, ToSchema)]
pub struct OddsStatus {
    /// The time at which the odds were published, UTC.
    published_at: DateTime<Utc>,
    /// The source time of the odds.
    source_as_of: DateTime<Utc>,
}

/// Games of the season of today's predictions that were to be played before today, have no final and were not called
/// off. They are listed at any time of day. After the deadline they are the degradation reason
/// `results_awaiting_settlement`, unless a graver reason applies.
#[derive(Debug, Serialize, ToSchema)]
pub struct AwaitingSettlement {
    /// The number of games that await settlement.
    #[schema(example = 1)]
    count: usize,
    /// The oldest 20 of these games, oldest first.
    #[schema(max_items = 20)]
    games: Vec<GameKeyItem>,
}

/// One run of the publisher's models.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublisherRun {
    /// The publisher's id of the run.
    #[schema(example = "nightly-2025-01-15")]
    id: String,
    /// The time at which the run started, UTC.
    started_at: DateTime<Utc>,
    /// The time at which the run completed, UTC; null before that.
    #[schema(required)]
    completed_at: Option<DateTime<Utc>>,
    /// The slate that the run found.
    slate: SlateActivityCode,
}

/// The markets by model type.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketStatuses {
    /// The total (over/under) market.
    over_under: MarketStatus,
    /// The moneyline market.
    won_on_points: MarketStatus,
    /// The spread market.
    won_on_spread: MarketStatus,
}

/// The status of one market's data of today.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketStatus {
    /// The status of the data of today.
    status: DataStatusCode,
    /// True if newer odds are published and the market's predictions are not rebuilt with them yet.
    refresh_pending: bool,
    /// The time by which predictions must be rebuilt with newer odds; null if no rebuild is due.
    #[schema(required)]
    refresh_deadline: Option<DateTime<Utc>>,
    /// The release that published the market's predictions; null if there are no predictions.
    #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
    release_id: Option<String>,
    /// The source time of the market's predictions.
    #[schema(required)]
    source_as_of: Option<DateTime<Utc>>,
    /// Games that kept their previous prediction. They do not change the status.
    held_games: Vec<GameKeyItem>,
    /// The market's current predictions.
    predictions: PublicationTime,
    /// The results of the season in which the predictions are recorded.
    results: PublicationTime,
    /// The summary, computed from those results.
    summary: PublicationTime,
    /// The model tracking, computed from those results.
    model_tracking: PublicationTime,
}

/// A publication time.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct PublicationTime {
    /// The time of publication; null if nothing is published.
    #[schema(required)]
    published_at: Option<DateTime<Utc>>,
}

/// The identity of a game within its league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GameKey)]
pub struct GameKeyItem {
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time_est: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
    /// The game of a doubleheader whose times are unknown; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game_number: Option<u8>,
}

impl DataStatusResponse {
    /// Converts the status of a league.
    pub fn from_status(sport: Sport, known: &LeagueStatus) -> Self {
        let (verdict, catalog) = (&known.verdict, known.moment.catalog());
        let [over_under, won_on_points, won_on_spread] =
            verdict.markets().each_ref().map(|market| MarketStatus::from_assessment(market, catalog));
        Self {
            sport: Code(sport),
            status: Code(verdict.status()),
            operational: verdict.operational(),
            degradation_reason: verdict.degradation().map(Code),
            refresh_pending: verdict.refresh_pending(),
            date: verdict.day().date,
            deadline: verdict.day().deadline,
            simulated: known.moment.is_simulated(),
            release_id: catalog.map(|catalog| catalog.release_id.to_string()),
            run: catalog.and_then(|catalog| catalog.run_deciding(verdict.day().date)).map(PublisherRun::from),
            markets: MarketStatuses { over_under, won_on_points, won_on_spread },
            odds: catalog.and_then(|catalog| catalog.odds.as_ref()).map(OddsStatus::from),
            awaiting_settlement: AwaitingSettlement::from_games(known.awaiting_settlement()),
        }
    }
}

impl From<&ArtifactRef> for OddsStatus {
    fn from(odds: &ArtifactRef) -> Self {
        Self { published_at: odds.published_at, source_as_of: odds.source_as_of }
    }
}

impl AwaitingSettlement {
    /// The number of games that are listed; `sportsctl games SPORT --awaiting` prints all of them.
    const LISTED: usize = 20;

    fn from_games(games: &[GameKey]) -> Self {
        Self { count: games.len(), games: games.iter().take(Self::LISTED).map(GameKeyItem::from).collect() }
    }
}

impl MarketStatus {
    fn from_assessment(verdict: &MarketAssessment, catalog: Option<&Catalog>) -> Self {
        let predictions = catalog.and_then(|catalog| catalog.predictions.get(&verdict.model_type));
        let artifact = predictions.map(|entry| &entry.artifact);
        let results = PublicationTime::from_artifact(results(catalog, verdict.model_type));
        Self {
            status: Code(verdict.status),
            refresh_pending: verdict.refresh_pending(),
            refresh_deadline: verdict.refresh_deadline,
            release_id: artifact.map(|artifact| artifact.release_id.to_string()),
            source_as_of: artifact.map(|artifact| artifact.source_as_of),
            held_games: predictions.iter().flat_map(|entry| &entry.held_games).map(GameKeyItem::from).collect(),
            predictions: PublicationTime::from_artifact(artifact),
            results,
            summary: results,
            model_tracking: results,
        }
    }
}

fn results(catalog: Option<&Catalog>, model_type: ModelType) -> Option<&ArtifactRef> {
    catalog?.live_results(model_type).map(|(_, entry)| &entry.artifact)
}

impl PublicationTime {
    fn from_artifact(artifact: Option<&ArtifactRef>) -> Self {
        Self { published_at: artifact.map(|artifact| artifact.published_at) }
    }
}

impl From<&Run> for PublisherRun {
    fn from(run: &Run) -> Self {
        Self { id: run.id.clone(), started_at: run.started_at, completed_at: run.completed_at, slate: Code(run.slate) }
    }
}

impl From<&GameKey> for GameKeyItem {
    fn from(key: &GameKey) -> Self {
        Self {
            date: key.date,
            time_est: key.time,
            away_team: key.away.to_string(),
            home_team: key.home.to_string(),
            game_number: key.game_number,
        }
    }
}
