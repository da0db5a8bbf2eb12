use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_usecases::analytics::{Analytics, SeasonCalibration, SourceCalibration};
use utoipa::ToSchema;

use super::model::CalibrationModelItem;
use super::query::CalibrationQuery;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{CalibrationHorizonCode, CalibrationSourceCode, Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelsQuery, MomentQuery, Params, SeasonQuery, date_span};
use crate::paths::{MarketPath, Path};

/// The parameters of the operation.
type Query = (SeasonQuery, (CalibrationQuery, (ModelsQuery, MomentQuery)));

/// The calibration of a market's models in one season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarketCalibration)]
pub struct CalibrationResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// The version of the season: as in its results. It seeds the random draws, so equal snapshots have equal
    /// figures.
    #[schema(example = "8d3c1f0a9b7e6254")]
    snapshot: String,
    /// The first date that counts; null if the request has no `from`.
    #[schema(required, value_type = Option<NaiveDate>)]
    from: Option<NaiveDate>,
    /// The last date that counts; null if the request has no `to`.
    #[schema(required, value_type = Option<NaiveDate>)]
    to: Option<NaiveDate>,
    /// The time at which the season was published.
    last_updated: DateTime<Utc>,
    /// One entry for each source that the season has forecasts from. Live and reconstructed forecasts are never pooled.
    sources: Vec<CalibrationSource>,
}

/// The models whose forecasts come from one source.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationSource {
    /// The source of the forecasts.
    forecast_source: CalibrationSourceCode,
    /// The instant of the forecasts; absent without `horizon`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    horizon: Option<CalibrationHorizonCode>,
    /// With a `horizon` but `standing`: live games whose forecast no release of this log made, such as imported ones. They
    /// have no history and are in no sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 5)]
    not_recorded_here: Option<u32>,
    /// One entry for each model with a probability in the season, in the order of the model columns, then of
    /// declaration.
    models: Vec<CalibrationModelItem>,
}

impl From<SeasonCalibration> for CalibrationResponse {
    fn from(SeasonCalibration { season, snapshot, span, sources }: SeasonCalibration) -> Self {
        let market = season.archive.market;
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            snapshot: snapshot.to_string(),
            from: span.from(),
            to: span.to(),
            last_updated: season.published_at,
            sources: sources.iter().map(CalibrationSource::from).collect(),
        }
    }
}

impl From<&SourceCalibration> for CalibrationSource {
    fn from(SourceCalibration { source, horizon, not_recorded_here, models }: &SourceCalibration) -> Self {
        Self {
            forecast_source: Code(*source),
            horizon: horizon.map(Code),
            not_recorded_here: *not_recorded_here,
            models: models.iter().map(CalibrationModelItem::from).collect(),
        }
    }
}

/// Show whether probabilities were right
///
/// For each model, in a season (the latest without `season`): its Brier score and log loss, a reliability diagram with
/// its band, and the decompositions of the Brier score. Its win rate is given beside the rate that breaks even. The market's own no-vig probability is scored
/// on the same games, with the probability that such a difference is due to chance.
///
/// To read a reliability diagram: each block is a range of probabilities (`p_min` to `p_max`) and the share of its
/// games that the positive side won (`rate`). On the diagonal the probabilities are right. Below it the model is too
/// sure of the positive side, above it not sure enough. A rate between `band_low` and `band_high` is within the range
/// that a perfect forecaster would have nine times of ten, by luck.
///
/// One season rarely proves anything. To distinguish two models whose Brier scores differ by 0.002 takes thousands of
/// games. A season has a few hundred or thousand, and those of one date share their luck. So each difference comes
/// with an interval and a p-value. The p-values of the models of a market are corrected for multiple tests. The
/// verdict is `undecided` where chance could explain the difference. A model that is closer than the market's
/// probability need not be worth betting on: prices include the bookmaker's margin, and other seasons may differ.
///
/// With `horizon` the live forecasts of some time before the start are scored. Each is judged by the line and the prices
/// served with it, so the outcome of a game may differ between horizons.
#[utoipa::path(
    get, path = "/api/v1/calibration/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, CalibrationQuery, ModelsQuery, MomentQuery),
    responses(
        (status = 200, description = "The calibration of each model", body = CalibrationResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_calibration(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (query, (ModelsQuery { models }, moment))))) = (path, params);
    let span = date_span(query.from, query.to)?;
    let at = moments.at(market.sport, &moment).await?;
    let question = if let Some(horizon) = query.horizon {
        at.query(analytics.calibration_at(at.moment(), market, season, (span, horizon), models)).await?
    } else {
        let question = analytics.calibration(at.moment(), market, season, span, query.forecast_source, models);
        at.query(question).await?
    };
    answer.at(&at).give(question, CalibrationResponse::from).await
}
