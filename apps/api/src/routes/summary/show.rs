use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::{Analytics, SeasonSummary};
use utoipa::ToSchema;

use super::item::SummaryItem;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, ModelsQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::tables::{TableOf, Tabular};

/// The parameters of the operation.
type Query = (SeasonQuery, (ModelsQuery, (FormatQuery, MomentQuery)));

/// The models of a market and their records in a season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarketSummary)]
pub struct SummaryResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The season of the summary: the requested one, else the current one, or the newest while no season is current.
    #[schema(example = "2023-24")]
    season: String,
    /// The latest season with a game played against a posted line; null until there is such a season.
    #[schema(required, example = "2023-24")]
    current_season: Option<String>,
    /// One entry for each model with a graded pick, in the order of the model columns, then of declaration, then
    /// `ENSEMBLE`.
    summaries: Vec<SummaryItem>,
    /// The time at which the season was published from which the summary is computed.
    generated_date: DateTime<Utc>,
}

impl From<SeasonSummary> for SummaryResponse {
    fn from(SeasonSummary { season, current, models }: SeasonSummary) -> Self {
        let market = season.archive.market;
        let entry = |model| SummaryItem::from_model(market.model_type, model);
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            current_season: current.map(|current| current.to_string()),
            summaries: models.iter().map(entry).collect(),
            generated_date: season.published_at,
        }
    }
}

/// Rows are models.
impl Tabular for SummaryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let models = TableOf::rows(&self.summaries)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str());
        SummaryItem::columns(models, self.model_type.0).columns()
    }
}

/// Show how the models did in a season
///
/// Each model's record over a season, and over its last one and four weeks. Without `season` it is the current
/// season. The record is split by the picked side, and includes the return of one unit a game on the model's better
/// side. It is counted from the same graded rows as the results: pushes and games without a pick are not counted.
#[utoipa::path(
    get, path = "/api/v1/summary/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, ModelsQuery, FormatQuery, MomentQuery),
    responses(
        (status = 200, description = "The summary", body = SummaryResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_summary(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (ModelsQuery { models }, (FormatQuery { format }, moment))))) =
        (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(analytics.summary(at.moment(), market, season, models)).await?;
    answer.at(&at).give_as(format, question, SummaryResponse::from).await
}
