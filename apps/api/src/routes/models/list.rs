use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Serialize;
use sports_domain::Sport;
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::{Analytics, LeagueModels};
use utoipa::ToSchema;

use super::item::ModelItem;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{Code, ModelNameCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, Params};
use crate::paths::{Path, SportPath};
use crate::tables::{TableOf, Tabular};

/// The models of a league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeagueModels)]
pub struct ModelsResponse {
    /// The league.
    sport: SportCode,
    /// The model of an answer to a request that names none: BLEND, unless the publisher named another.
    #[schema(example = "BLEND")]
    headline: ModelNameCode,
    /// The models: those of the specification, then those that the publisher declared, in order of declaration.
    models: Vec<ModelItem>,
}

impl From<LeagueModels> for ModelsResponse {
    fn from(LeagueModels { sport, headline, models }: LeagueModels) -> Self {
        let models = models.into_iter().map(ModelItem::from).collect();
        Self { sport: Code(sport), headline: Code(headline), models }
    }
}

/// Rows are models.
impl Tabular for ModelsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let models = TableOf::rows(&self.models).constant("sport", self.sport).constant("headline", self.headline);
        ModelItem::columns(models).columns()
    }
}

/// List a league's models
///
/// The eight models of the specification and those that the publisher declared, each with its title, versions and
/// games. `headline` is the model of an answer to a request that names none. A game in `games_before` started before its
/// model was declared: its probability was recorded as a column without a meaning.
#[utoipa::path(
    get, path = "/api/v1/models/{sport}",
    tag = "discovery",
    params(SportPath, FormatQuery),
    responses(
        (status = 200, description = "The models", body = ModelsResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_models(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<FormatQuery>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let Path(sport) = path;
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("Nothing is published for {sport}"));
    let question = analytics.models(at.moment()).await?.ok_or_else(nothing)?;
    answer.at(&at).give_as(params.0.format, question, ModelsResponse::from).await
}
