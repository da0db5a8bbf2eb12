//! The models of a league.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::{ModelType, Sport};
use sports_ports::tables::TableColumn;
use sports_publication::registry::ModelVersion;
use sports_usecases::analytics::{LeagueModel, LeagueModels, ModelGames, ModelKind};
use sports_usecases::chosen_models::NoSuchModel;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelKindCode, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FormatQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::tables::{TableOf, Tabular, columns};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_models));
}

impl From<NoSuchModel> for ApiError {
    fn from(NoSuchModel { sport, name, known }: NoSuchModel) -> Self {
        let names: Vec<_> = known.iter().map(ToString::to_string).collect();
        let meant = names.iter().find(|known| known.eq_ignore_ascii_case(name.as_str()));
        let hint = meant.map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
        Self::NotFound(format!("{sport} has no model {name}; it has {}{hint}", names.join(", ")))
    }
}

/// A model of a league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeagueModel)]
pub struct ModelItem {
    /// The name, which parameters and columns have.
    #[schema(example = "BLEND")]
    model: ModelNameCode,
    /// `standard` for a model of the specification, `own` for a model that the publisher declared.
    kind: ModelKindCode,
    /// The name for people; the name itself if the publisher gave no other.
    #[schema(example = "Elo with travel")]
    title: String,
    /// A description by the publisher; null without one.
    #[schema(required)]
    description: Option<String>,
    /// An address with more about the model, by the publisher; null without one.
    #[schema(required, example = "https://example.com/elo")]
    url: Option<String>,
    /// True if the public feed shows the model.
    public: bool,
    /// The markets that the model forecasts.
    model_types: Vec<ModelTypeCode>,
    /// The time of the release that declared the model; null for a standard model.
    #[schema(required)]
    declared_at: Option<DateTime<Utc>>,
    /// The generation of that release; null for a standard model.
    #[schema(required)]
    declared_generation: Option<u64>,
    /// The time of the release that retired the model; null for a model in use.
    #[schema(required)]
    retired_at: Option<DateTime<Utc>>,
    /// The versions of the model, newest first, 64 at most.
    versions: Vec<ModelVersionItem>,
    /// The markets with games of the model; empty for a standard model.
    markets: Vec<ModelMarketItem>,
}

/// A version of a model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelVersion)]
pub struct ModelVersionItem {
    /// The version, in the publisher's words.
    #[schema(example = "2026.11.2")]
    version: String,
    /// A SHA-256 that the publisher chose, such as the hash of a file of weights; null without one.
    #[schema(required)]
    sha256: Option<String>,
    /// The generation that introduced the version.
    since_generation: u64,
    /// The time at which that generation was published.
    published_at: DateTime<Utc>,
    /// The index of the version's leaf in the league's tree; null for a version from before the tree.
    #[schema(required)]
    record_index: Option<u64>,
}

/// The games of a model in one market.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelMarket)]
pub struct ModelMarketItem {
    /// The market.
    model_type: ModelTypeCode,
    /// The seasons with games of the model, newest first.
    #[schema(example = json!(["2025-26", "2024-25"]))]
    seasons: Vec<String>,
    /// Games with a probability of the model, graded or not.
    #[schema(example = 553)]
    games: usize,
    /// The games among these that started before the model was declared.
    #[schema(example = 553)]
    games_before: usize,
}

impl From<LeagueModel> for ModelItem {
    fn from(model: LeagueModel) -> Self {
        let kind = model.kind();
        let LeagueModel { name, declaration, places, markets } = model;
        let described = declaration.as_ref();
        let own = described.filter(|_| kind == ModelKind::Own);
        let types = own.map_or_else(|| ModelType::ALL.into(), |own| own.model_types.clone());
        Self {
            model: Code(name),
            kind: Code(kind),
            title: described.map_or_else(|| name.to_string(), |model| model.shown_title().to_owned()),
            description: described.and_then(|model| model.description.clone()),
            url: described.and_then(|model| model.url.clone()),
            public: own.is_none_or(|own| own.public),
            model_types: types.into_iter().map(Code).collect(),
            declared_at: own.map(|own| own.declared.at),
            declared_generation: own.map(|own| own.declared.generation.get()),
            retired_at: own.and_then(|own| own.retired).map(|moment| moment.at),
            versions: described
                .iter()
                .flat_map(|model| model.versions.iter().rev())
                .map(|version| ModelVersionItem::placed(version, places.get(&version.since.generation).copied()))
                .collect(),
            markets: markets.into_iter().map(ModelMarketItem::from).collect(),
        }
    }
}

impl ModelVersionItem {
    /// Converts a version with its place in the tree.
    fn placed(version: &ModelVersion, record_index: Option<u64>) -> Self {
        Self {
            version: version.version.clone(),
            sha256: version.sha256.map(|hash| hash.to_string()),
            since_generation: version.since.generation.get(),
            published_at: version.since.at,
            record_index,
        }
    }
}

impl From<ModelGames> for ModelMarketItem {
    fn from(games: ModelGames) -> Self {
        Self {
            model_type: Code(games.model_type),
            seasons: games.seasons.iter().map(ToString::to_string).collect(),
            games: games.games,
            games_before: games.games_before,
        }
    }
}

impl ModelItem {
    /// Adds the columns of models to a table, without versions and markets.
    pub fn columns<'a>(models: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        let models = columns!(models, model, kind, title, description, url, public).column("model_types", |item| {
            item.model_types.iter().map(|Code(of)| of.code()).collect::<Vec<_>>().join(",")
        });
        columns!(models, declared_at, declared_generation, retired_at)
    }
}

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
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("models/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn list_models(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<FormatQuery>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(sport) = path;
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("Nothing is published for {sport}"));
    let question = state.published.analytics.models(at.moment()).await?.ok_or_else(nothing)?;
    answer
        .graded()
        .in_format(params.0.format)
        .at(&at)
        .respond_to(question, |answer| Rows(ModelsResponse::from(answer)))
        .await
}
