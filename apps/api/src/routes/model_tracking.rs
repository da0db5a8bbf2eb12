//! The composition of a season's record.

use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Market;
use sports_grading::UngradedReason;
use sports_performance::{ModelCoverage, Tracking};
use sports_publication::ProbabilitySource;
use sports_usecases::analytics::{self, ForecastCounts, SeasonTracking};
use tokio::time::Instant;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Json};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{ForecastsQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::response_cache::Repeatable;
use crate::state::State;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_model_tracking));
}

wire! {
    /// Counts of a season's games: graded, ungraded by reason, and by the source of their probabilities.
    #[schema(as = ModelTracking)]
    pub struct ModelTrackingResponse(source: SeasonTracking) {
        let SeasonTracking { season, tracking, models, forecast_games } = source;
        let (market, times) = (season.archive.market, tracking.forecast_times());

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// Every game of the season, graded or not: the `total` of its results.
        #[schema(example = 285)]
        archive_games: u32 = tracking.games(),
        /// Games on which at least one model was graded.
        #[schema(example = 279)]
        graded_games: u32 = tracking.graded(),
        /// The games that are not graded, by reason.
        ungraded: UngradedGames = UngradedGames::new(&tracking),
        /// All games by the source of their probabilities.
        forecast_source: ForecastSources = ForecastSources::new(&tracking),
        /// The season's games by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(forecast_games),
        /// All games by the method of their probabilities.
        model_probability_source: ProbabilitySources = ProbabilitySources::new(&tracking),
        /// The time at which the first live forecast on record was published; null without a live forecast.
        #[schema(required)]
        first_forecast_at: Option<DateTime<Utc>> = times.map(|(first, _)| first),
        /// The time at which the last live forecast on record was published; null without a live forecast.
        #[schema(required)]
        last_forecast_at: Option<DateTime<Utc>> = times.map(|(_, last)| last),
        /// The models with a probability in the season, in the order of the model columns, then of declaration.
        models: Vec<TrackedModel> = models.into_iter().map(TrackedModel::new).collect(),
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = season.published_at,
    }
}

wire! {
    /// The games of a season with a probability of one model.
    pub struct TrackedModel(tracked: analytics::TrackedModel) {
        let analytics::TrackedModel { coverage, recorded, proven } = tracked;
        let ModelCoverage { model, games, first_date, last_date } = coverage;

        /// The model.
        model: ModelNameCode = Code(model),
        /// Games with its probability, graded or not.
        #[schema(example = 285)]
        games: u32 = games,
        /// The Eastern date of the first of these games.
        first_date: NaiveDate = first_date,
        /// The Eastern date of the last of these games.
        last_date: NaiveDate = last_date,
        /// The games among these whose forecast an entry of this log published before the start.
        #[schema(example = 253)]
        recorded: u32 = recorded,
        /// The games among the recorded ones that others can prove: a checkpoint that has the commitment was cosigned or timestamped
        /// before the start, by the times that these state. A game without a known time starts at the earliest usual hour. Null
        /// while the store that has the checkpoints is away.
        #[schema(required, example = 240)]
        proven: Option<u32> = proven,
    }
}

wire! {
    /// Games that were not graded.
    pub struct UngradedGames(tracking: &Tracking) {
        /// Games without a final score.
        no_final: u32 = tracking.ungraded(UngradedReason::NoFinal),
        /// Games without a posted line.
        no_line: u32 = tracking.ungraded(UngradedReason::NoLine),
        /// Games whose final is exactly on the line.
        push: u32 = tracking.ungraded(UngradedReason::Push),
        /// Games on which no model took a side.
        no_prediction: u32 = tracking.ungraded(UngradedReason::NoPrediction),
    }
}

wire! {
    /// Games by `forecast_source`.
    pub struct ForecastSources(tracking: &Tracking) {
        /// Games whose probabilities were recorded before the start.
        live: u32 = tracking.from_source("live"),
        /// Games whose probabilities a walk-forward backtest reconstructed.
        walk_forward: u32 = tracking.from_source("walk_forward"),
        /// Games without a prediction.
        none: u32 = tracking.without_source(),
    }
}

wire! {
    /// Games by the kind of their forecast, whatever the answer counts. Games without a forecast are left out.
    pub struct ForecastGames(counts: ForecastCounts) {
        let ForecastCounts { recorded, imported, walk_forward } = counts;

        /// Games whose live forecast an entry of this log published before the start.
        #[schema(example = 253)]
        recorded: u32 = recorded,
        /// Games whose forecast is `live` by the word of the file that brought it.
        #[schema(example = 0)]
        imported: u32 = imported,
        /// Games whose probabilities a walk-forward backtest reconstructed.
        #[schema(example = 32)]
        walk_forward: u32 = walk_forward,
    }
}

wire! {
    /// Games by `model_probability_source`.
    pub struct ProbabilitySources(tracking: &Tracking) {
        /// Games whose probabilities were recorded before the start.
        recorded: u32 = tracking.made_by(ProbabilitySource::Recorded.word()),
        /// Games whose probabilities a walk-forward backtest reconstructed out of sample.
        walk_forward: u32 = tracking.made_by(ProbabilitySource::WalkForward.word()),
        /// Games whose probabilities were reconstructed out of sample after the season.
        reconstructed_oos: u32 = tracking.made_by(ProbabilitySource::ReconstructedOos.word()),
        /// Games without a prediction.
        none: u32 = tracking.made_unknown(),
    }
}

/// Show what a season's record is made of
///
/// The numbers of graded games, and of ungraded games by reason, in a season (the current one without `season`). All
/// games are also counted by the source of their probabilities: recorded before play, or reconstructed out of sample. `archive_games` is the `total` of the season's results.
#[utoipa::path(
    get, path = "/api/v1/model-tracking/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath),
    responses(
        (status = 200, description = "The counts", body = ModelTrackingResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("model_tracking/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_model_tracking(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<(SeasonQuery, ForecastsQuery, MomentQuery)>,
    request: HttpRequest,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, forecasts, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let (counted, analytics) = (forecasts.forecast_source, &state.published.analytics);
    let (question, until) = at.query(analytics.model_tracking(at.moment(), market, season, counted)).await?;
    let response =
        answer.graded().at(&at).respond_to(question, |answer| Json(ModelTrackingResponse::new(answer))).await?;
    if let Some(until) = until.filter(|_| !at.head().is_requested()) {
        // A cosignature can come without a publication.
        Repeatable::mark_while(&request, move || Instant::now() < until);
    }
    Ok(response)
}
