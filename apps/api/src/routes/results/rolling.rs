use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_performance::{AveragePoint, CurvePoint, Curves};
use sports_usecases::analytics::{Analytics, MarketCurves, PublishedSeason};
use utoipa::ToSchema;

use super::answer::PointsByModel;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelsQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};

type ModelCurves = PointsByModel<RollingPointItem>;

type AverageCurves = PointsByModel<HistoricalPointItem>;

/// Four-week curves of every archived season of a market.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RollingCurves)]
pub struct RollingCurvesResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// One entry for each archived season, newest first.
    seasons: Vec<SeasonCurvesItem>,
    /// By model, the mean of the seasons before the current one; absent if they have no point.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    historical_average: Option<AverageCurves>,
    /// The time at which the newest of these archives was published.
    last_updated: DateTime<Utc>,
}

/// The curves of one season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeasonCurves)]
pub struct SeasonCurvesItem {
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// By model, a point for each day on which it had a graded pick; a model without points is absent.
    models: ModelCurves,
}

/// A model's trailing 28 days as of one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RollingPoint)]
pub struct RollingPointItem {
    /// The Eastern date.
    date: NaiveDate,
    /// Days since the season's first game, which is played on day 0.
    #[schema(example = 27)]
    day: u32,
    /// Graded picks of this day and the 27 before it.
    #[schema(example = 61)]
    games: u32,
    /// The share of these picks that won, 0 to 1.
    #[schema(example = 0.524_59)]
    win_pct: f64,
}

/// The average of earlier seasons on one day of the season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HistoricalPoint)]
pub struct HistoricalPointItem {
    /// Days since a season's first game, which is day 0.
    #[schema(example = 27)]
    day: u32,
    /// The number of earlier seasons with a point on that day.
    #[schema(example = 9)]
    seasons: u32,
    /// The plain mean of `win_pct` over those seasons.
    #[schema(example = 0.516_022)]
    win_pct: f64,
}

impl From<&CurvePoint> for RollingPointItem {
    fn from(point: &CurvePoint) -> Self {
        // A point has at least one game, so the share exists.
        let win_pct = point.trailing.win_share().unwrap_or_default();
        Self { date: point.date, day: point.day, games: point.trailing.games(), win_pct }
    }
}

impl From<&AveragePoint> for HistoricalPointItem {
    fn from(point: &AveragePoint) -> Self {
        Self { day: point.day, seasons: point.seasons, win_pct: point.win_share }
    }
}

impl SeasonCurvesItem {
    fn from_curves(season: &PublishedSeason, curves: &Curves) -> Self {
        let models =
            curves.iter().map(|curve| (curve.model, curve.points.iter().map(RollingPointItem::from).collect()));
        Self { season: season.archive.season.to_string(), models: models.collect() }
    }
}

impl From<MarketCurves> for RollingCurvesResponse {
    fn from(curves: MarketCurves) -> Self {
        let market = curves.latest.archive.market;
        let average = curves.average.iter();
        let average = average.map(|curve| (curve.model, curve.points.iter().map(HistoricalPointItem::from).collect()));
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            seasons: curves
                .seasons
                .iter()
                .map(|(season, curves)| SeasonCurvesItem::from_curves(season, curves))
                .collect(),
            historical_average: Some(average.collect()).filter(|average: &AverageCurves| !average.is_empty()),
            last_updated: curves.latest.published_at,
        }
    }
}

/// Show rolling four-week curves
///
/// For each archived season and model, the share of graded picks that won in the trailing 28 days, with a point for
/// each day with a pick. Pushes are not counted. ENSEMBLE, a count of votes, has no curve. `historical_average` is
/// the mean over the seasons before the current one, by days since a season's first game.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/rolling",
    tag = "performance",
    params(MarketPath, ModelsQuery, MomentQuery),
    responses(
        (status = 200, description = "The curves", body = RollingCurvesResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("rolling_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_rolling_curves(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(ModelsQuery, MomentQuery)>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((ModelsQuery { models }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(analytics.rolling(at.moment(), market, models)).await?;
    answer.at(&at).give(question, RollingCurvesResponse::from).await
}
