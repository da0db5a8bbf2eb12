use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{GameKey, ModelType, Sport};
use sports_http_transport::Audience;
use sports_publication::slate::freshness::MarketAssessment;
use sports_publication::{ArtifactRef, Catalog, Run};
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
use crate::wire::wire;

/// Check how fresh a league's data is
///
/// Reports whether a league has its data of today. For each market it has the times at which predictions, results,
/// summaries and model tracking were last published. No timestamp depends on the time of the request. A league
/// without any publication is answered with 200 and a null `release_id`.
///
/// The status is that of the markets which the league has: those that its publisher declared, else those with predictions
/// for any of its last fourteen slate dates on record. The others have `"expected": false`.
///
/// `off_day` is a day on which today's run confirmed that there are no games. It is also, which extends the specification, a
/// day on which no slate is due and nothing of today is published: a weekday that the publisher did not declare as a slate
/// day and that has no game on record, or a day from a week after the last final of a season to the next game on record,
/// unless a game of an earlier day awaits its final.
///
/// With `as_of` or `generation` it is the status at
/// that moment, which takes the key of an active subscription and counts as a call.
// In the example the spread predictions hold one game, and newer odds are published than the totals were built with.
#[utoipa::path(
    get, path = "/api/v1/data-status/{sport}",
    tag = "service",
    params(SportPath),
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
        let answer = Revalidated(Audience::Public, DataStatusResponse::new(sport, &status));
        return Ok(answer.respond_at(&at, &request));
    }
    let at = moments.at(sport, &query).await?;
    let status = at.query(LeagueStatus::at(at.moment().clone())).await?;
    let answer = Revalidated(Audience::KeyHolder, DataStatusResponse::new(sport, &status));
    Ok(answer.respond_at(&at, &request))
}

wire! {
    /// The status of a league's data of today. Publication and source times are those of the published data.
    #[schema(as = DataStatus)]
    pub struct DataStatusResponse(sport: Sport, known: &LeagueStatus) {
        let (verdict, catalog) = (&known.verdict, known.moment.catalog());
        let [over_under, won_on_points, won_on_spread] =
            verdict.markets().each_ref().map(|market| MarketStatus::new(market, catalog));

        /// The league.
        sport: SportCode = Code(sport),
        /// The status of the data of today.
        status: DataStatusCode = Code(verdict.status()),
        /// True if today's slate is served. False for `partial`, `stale` and `unknown`, except that `stale` with
        /// `predictions_stale` leaves it true: the predictions published before are still served.
        operational: bool = verdict.operational(),
        /// True if today's slate can be trusted: the status is `fresh` or `off_day`, and nothing is late but finals of earlier
        /// days (`degradation_reason` is null or `results_awaiting_settlement`). Decide on this field alone.
        trusted: bool = verdict.trusted(),
        /// The reason that today's slate can or cannot be trusted, a sentence.
        #[schema(example = "Run, odds, predictions and results of today are complete.")]
        trusted_reason: String = verdict.trusted_reason().to_owned(),
        /// The reason that the data is not fully up to date; null if it is.
        #[schema(required)]
        degradation_reason: Option<DegradationCode> = verdict.degradation().map(Code),
        /// True if newer odds are published than those that the predictions of some market include. Never in a league whose
        /// publisher declared that its predictions do not depend on odds.
        refresh_pending: bool = verdict.refresh_pending(),
        /// Today's Eastern date.
        date: NaiveDate = verdict.day().date,
        /// The deadline for today's data: 10:15 Eastern, as an instant.
        deadline: DateTime<Utc> = verdict.day().deadline,
        /// True if the league's record is simulated: it has releases that were published at a time set by hand.
        simulated: bool = known.moment.is_simulated(),
        /// The latest release; null if there is no release yet.
        #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
        release_id: Option<String> = catalog.map(|catalog| catalog.release_id.to_string()),
        /// The run that decides the status: the last completed run if it was for today or later, else the last run
        /// started for the latest slate; null if no run is known.
        #[schema(required)]
        run: Option<PublisherRun> =
            catalog.and_then(|catalog| catalog.run_deciding(verdict.day().date)).map(PublisherRun::new),
        /// The status of each of the league's markets.
        markets: MarketStatuses = MarketStatuses { over_under, won_on_points, won_on_spread },
        /// The publication and source time of the current odds; null if no odds are published.
        #[schema(required)]
        odds: Option<OddsStatus> = catalog.and_then(|catalog| catalog.odds.as_ref()).map(OddsStatus::new),
        /// Games that were to be played before today, have no final and were not called off.
        awaiting_settlement: AwaitingSettlement = AwaitingSettlement::new(known.awaiting_settlement()),
    }
}

wire! {
    /// Publication and source time of the current odds.
    pub struct OddsStatus(odds: &ArtifactRef) {
        /// The time at which the odds were published, UTC.
        published_at: DateTime<Utc> = odds.published_at,
        /// The source time of the odds.
        source_as_of: DateTime<Utc> = odds.source_as_of,
    }
}

/// The number of games that are listed; `sportsctl games SPORT --awaiting` prints all of them.
const LISTED: usize = 20;

wire! {
    /// Games of the season of today's predictions that were to be played before today, have no final and were not called
    /// off. They are listed at any time of day. After the deadline they are the degradation reason
    /// `results_awaiting_settlement`, unless a graver reason applies.
    pub struct AwaitingSettlement(games: &[GameKey]) {
        /// The number of games that await settlement.
        #[schema(example = 1)]
        count: usize = games.len(),
        /// The oldest 20 of these games, oldest first.
        #[schema(max_items = 20)]
        games: Vec<GameKeyItem> = games.iter().take(LISTED).map(GameKeyItem::new).collect(),
    }
}

wire! {
    /// One run of the publisher's models.
    pub struct PublisherRun(run: &Run) {
        /// The publisher's id of the run.
        #[schema(example = "nightly-2025-01-15")]
        id: String = run.id.clone(),
        /// The time at which the run started, UTC.
        started_at: DateTime<Utc> = run.started_at,
        /// The time at which the run completed, UTC; null before that.
        #[schema(required)]
        completed_at: Option<DateTime<Utc>> = run.completed_at,
        /// The slate that the run found.
        slate: SlateActivityCode = Code(run.slate),
    }
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

wire! {
    /// The status of one market's data of today.
    pub struct MarketStatus(verdict: &MarketAssessment, catalog: Option<&Catalog>) {
        let predictions = catalog.and_then(|catalog| catalog.predictions.get(&verdict.model_type));
        let artifact = predictions.map(|entry| &entry.artifact);
        let results = PublicationTime::new(results(catalog, verdict.model_type));

        /// False for a market that the league does not have: it has no part in the status of the league, and its other fields
        /// say what is published all the same. Absent for the markets that it has, and in the status `unknown`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        expected: Option<bool> = (!verdict.expected).then_some(false),
        /// The status of the data of today.
        status: DataStatusCode = Code(verdict.status),
        /// True if newer odds are published than those that the market's predictions include.
        refresh_pending: bool = verdict.refresh_pending(),
        /// The time by which predictions must be rebuilt with newer odds; null if no rebuild is due.
        #[schema(required)]
        refresh_deadline: Option<DateTime<Utc>> = verdict.refresh_deadline,
        /// The release that published the market's predictions; null if there are no predictions.
        #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
        release_id: Option<String> = artifact.map(|artifact| artifact.release_id.to_string()),
        /// The source time of the market's predictions.
        #[schema(required)]
        source_as_of: Option<DateTime<Utc>> = artifact.map(|artifact| artifact.source_as_of),
        /// Games that kept their previous prediction. They do not change the status.
        held_games: Vec<GameKeyItem> =
            predictions.iter().flat_map(|entry| &entry.held_games).map(GameKeyItem::new).collect(),
        /// The market's current predictions.
        predictions: PublicationTime = PublicationTime::new(artifact),
        /// The results of the season in which the predictions are recorded.
        results: PublicationTime = results,
        /// The summary, computed from those results.
        summary: PublicationTime = results,
        /// The model tracking, computed from those results.
        model_tracking: PublicationTime = results,
    }
}

wire! {
    /// A publication time.
    #[derive(Clone, Copy)]
    pub struct PublicationTime(artifact: Option<&ArtifactRef>) {
        /// The time of publication; null if nothing is published.
        #[schema(required)]
        published_at: Option<DateTime<Utc>> = artifact.map(|artifact| artifact.published_at),
    }
}

wire! {
    /// The identity of a game within its league.
    #[schema(as = GameKey)]
    pub struct GameKeyItem(key: &GameKey) {
        /// The Eastern date of the start.
        date: NaiveDate = key.date,
        /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time_est: Option<NaiveTime> = key.time,
        /// The visiting team's slug.
        #[schema(example = "buffalo_bills")]
        away_team: String = key.away.to_string(),
        /// The home team's slug.
        #[schema(example = "miami_dolphins")]
        home_team: String = key.home.to_string(),
        /// The game of a doubleheader whose times are unknown; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        game_number: Option<u8> = key.game_number,
    }
}

fn results(catalog: Option<&Catalog>, model_type: ModelType) -> Option<&ArtifactRef> {
    catalog?.live_results(model_type).map(|(_, entry)| &entry.artifact)
}
