use std::borrow::Cow;
use std::collections::BTreeMap;

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Serialize, Serializer};
use sports_domain::{Market, ModelColumn, ModelName};
use sports_performance::{AveragePoint, CurvePoint, Curves};
use sports_usecases::analytics::{MarketCurves, PublishedSeason};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::answer::{Answer, Json};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelsQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::wire::wire;

type ModelCurves = PointsByModel<RollingPointItem>;

type AverageCurves = PointsByModel<HistoricalPointItem>;

wire! {
    /// Four-week curves of every archived season of a market.
    #[schema(as = RollingCurves)]
    pub struct RollingCurvesResponse(curves: MarketCurves) {
        let market = curves.latest.archive.market;
        let average = curves.average.iter();
        let average = average.map(|curve| (curve.model, curve.points.iter().map(HistoricalPointItem::new).collect()));

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// One entry for each archived season, newest first.
        seasons: Vec<SeasonCurvesItem> = curves
            .seasons
            .iter()
            .map(|(season, curves)| SeasonCurvesItem::new(season, curves))
            .collect(),
        /// By model, the mean of the seasons before the current one; absent if they have no point.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        historical_average: Option<AverageCurves> =
            Some(average.collect()).filter(|average: &AverageCurves| !average.is_empty()),
        /// The time at which the newest of these archives was published.
        last_updated: DateTime<Utc> = curves.latest.published_at,
    }
}

wire! {
    /// The curves of one season.
    #[schema(as = SeasonCurves)]
    pub struct SeasonCurvesItem(season: &PublishedSeason, curves: &Curves) {
        let models =
            curves.iter().map(|curve| (curve.model, curve.points.iter().map(RollingPointItem::new).collect()));

        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// By model, a point for each day on which it had a graded pick; a model without points is absent.
        models: ModelCurves = models.collect(),
    }
}

wire! {
    /// A model's trailing 28 days as of one day.
    #[schema(as = RollingPoint)]
    pub struct RollingPointItem(point: &CurvePoint) {
        // A point has at least one game, so the share exists.
        let win_pct = point.trailing.win_share().unwrap_or_default();

        /// The Eastern date.
        date: NaiveDate = point.date,
        /// Days since the season's first game, which is played on day 0.
        #[schema(example = 27)]
        day: u32 = point.day,
        /// Graded picks of this day and the 27 before it.
        #[schema(example = 61)]
        games: u32 = point.trailing.games(),
        /// The share of these picks that won, 0 to 1.
        #[schema(example = 0.524_59)]
        win_pct: f64 = win_pct,
    }
}

wire! {
    /// The average of earlier seasons on one day of the season.
    #[schema(as = HistoricalPoint)]
    pub struct HistoricalPointItem(point: &AveragePoint) {
        /// Days since a season's first game, which is day 0.
        #[schema(example = 27)]
        day: u32 = point.day,
        /// The number of earlier seasons with a point on that day.
        #[schema(example = 9)]
        seasons: u32 = point.seasons,
        /// The plain mean of `win_pct` over those seasons.
        #[schema(example = 0.516_022)]
        win_pct: f64 = point.win_share,
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
    params(MarketPath),
    responses(
        (status = 200, description = "The curves", body = RollingCurvesResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("rolling_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_rolling_curves(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Market>,
    params: Params<(ModelsQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((ModelsQuery { models }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.rolling(at.moment(), market, models)).await?;
    answer.graded().at(&at).respond_to(question, |answer| Json(RollingCurvesResponse::new(answer))).await
}

/// The points of each model that has any, by the model's name, in the order of the names.
#[derive(Debug)]
pub struct PointsByModel<P>(BTreeMap<ModelName, Vec<P>>);

impl<P> PointsByModel<P> {
    /// Returns true if no model has a point.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<P: Serialize> Serialize for PointsByModel<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(model, points)| (Code(*model), points)))
    }
}

impl<P> FromIterator<(ModelName, Vec<P>)> for PointsByModel<P> {
    fn from_iter<I: IntoIterator<Item = (ModelName, Vec<P>)>>(curves: I) -> Self {
        Self(curves.into_iter().collect())
    }
}

impl<P: ToSchema> PartialSchema for PointsByModel<P> {
    fn schema() -> RefOr<Schema> {
        let points = || ArrayBuilder::new().items(Ref::from_schema_name(P::name()));
        let models = ModelColumn::ALL.into_iter();
        let described = ObjectBuilder::new().description(Some("Points by model; a model without any is left out."));
        let described = described.additional_properties(Some(points()));
        models.fold(described, |object, model| object.property(model.name(), points())).into()
    }
}

impl<P: ToSchema> ToSchema for PointsByModel<P> {
    fn name() -> Cow<'static, str> {
        format!("{}sByModel", P::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((P::name().into_owned(), P::schema()));
        P::schemas(schemas);
    }
}
