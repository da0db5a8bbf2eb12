//! The composition of a season's record.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_grading::UngradedReason;
use sports_performance::ModelCoverage;
use sports_publication::ProbabilitySource;
use sports_usecases::analytics::SeasonTracking;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Json};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::state::State;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_model_tracking));
}

/// Counts of a season's games: graded, ungraded by reason, and by the source of their probabilities.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelTracking)]
pub struct ModelTrackingResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// Every game of the season, graded or not: the `total` of its results.
    #[schema(example = 285)]
    archive_games: u32,
    /// Games on which at least one model was graded.
    #[schema(example = 279)]
    graded_games: u32,
    /// The games that are not graded, by reason.
    ungraded: UngradedGames,
    /// All games by the source of their probabilities.
    forecast_source: ForecastSources,
    /// All games by the method of their probabilities.
    model_probability_source: ProbabilitySources,
    /// The time at which the first live forecast on record was published; null without a live forecast.
    #[schema(required)]
    first_forecast_at: Option<DateTime<Utc>>,
    /// The time at which the last live forecast on record was published; null without a live forecast.
    #[schema(required)]
    last_forecast_at: Option<DateTime<Utc>>,
    /// The models with a probability in the season, in the order of the model columns, then of declaration.
    models: Vec<TrackedModel>,
    /// The time at which the season was published.
    last_updated: DateTime<Utc>,
}

/// The games of a season with a probability of one model.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrackedModel {
    /// The model.
    model: ModelNameCode,
    /// Games with its probability, graded or not.
    #[schema(example = 285)]
    games: u32,
    /// The Eastern date of the first of these games.
    first_date: NaiveDate,
    /// The Eastern date of the last of these games.
    last_date: NaiveDate,
}

/// Games that were not graded.
#[derive(Debug, Serialize, ToSchema)]
pub struct UngradedGames {
    /// Games without a final score.
    no_final: u32,
    /// Games without a posted line.
    no_line: u32,
    /// Games whose final is exactly on the line.
    push: u32,
    /// Games on which no model took a side.
    no_prediction: u32,
}

/// Games by `forecast_source`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ForecastSources {
    /// Games whose probabilities were recorded before the start.
    live: u32,
    /// Games whose probabilities a walk-forward backtest reconstructed.
    walk_forward: u32,
    /// Games without a prediction.
    none: u32,
}

/// Games by `model_probability_source`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProbabilitySources {
    /// Games whose probabilities were recorded before the start.
    recorded: u32,
    /// Games whose probabilities a walk-forward backtest reconstructed out of sample.
    walk_forward: u32,
    /// Games whose probabilities were reconstructed out of sample after the season.
    reconstructed_oos: u32,
    /// Games without a prediction.
    none: u32,
}

impl From<SeasonTracking> for ModelTrackingResponse {
    fn from(SeasonTracking { season, tracking, models }: SeasonTracking) -> Self {
        let (market, times) = (season.archive.market, tracking.forecast_times());
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            archive_games: tracking.games(),
            graded_games: tracking.graded(),
            ungraded: UngradedGames {
                no_final: tracking.ungraded(UngradedReason::NoFinal),
                no_line: tracking.ungraded(UngradedReason::NoLine),
                push: tracking.ungraded(UngradedReason::Push),
                no_prediction: tracking.ungraded(UngradedReason::NoPrediction),
            },
            forecast_source: ForecastSources {
                live: tracking.from_source("live"),
                walk_forward: tracking.from_source("walk_forward"),
                none: tracking.without_source(),
            },
            model_probability_source: ProbabilitySources {
                recorded: tracking.made_by(ProbabilitySource::Recorded.word()),
                walk_forward: tracking.made_by(ProbabilitySource::WalkForward.word()),
                reconstructed_oos: tracking.made_by(ProbabilitySource::ReconstructedOos.word()),
                none: tracking.made_unknown(),
            },
            first_forecast_at: times.map(|(first, _)| first),
            last_forecast_at: times.map(|(_, last)| last),
            models: models.into_iter().map(TrackedModel::from).collect(),
            last_updated: season.published_at,
        }
    }
}

impl From<ModelCoverage> for TrackedModel {
    fn from(ModelCoverage { model, games, first_date, last_date }: ModelCoverage) -> Self {
        Self { model: Code(model), games, first_date, last_date }
    }
}

/// Show what a season's record is made of
///
/// The numbers of graded games, and of ungraded games by reason, in a season (the current one without `season`). All
/// games are also counted by the source of their probabilities: recorded before play, or reconstructed out of sample. `archive_games` is the `total` of the season's results.
#[utoipa::path(
    get, path = "/api/v1/model-tracking/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, MomentQuery),
    responses(
        (status = 200, description = "The counts", body = ModelTrackingResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("model_tracking/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_model_tracking(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(SeasonQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question =
        state.published.analytics.model_tracking(at.moment(), market, season).map_err(|error| at.failure(error))?;
    answer.graded().at(&at).respond_to(question, |answer| Json(ModelTrackingResponse::from(answer))).await
}
