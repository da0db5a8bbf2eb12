//! The models of a league.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use sports_domain::{ModelType, Sport};
use sports_ports::tables::TableColumn;
use sports_publication::registry::ModelVersion;
use sports_usecases::analytics::{LeagueModel, LeagueModels, ModelGames, ModelKind};
use sports_usecases::chosen_models::NoSuchModel;
use sports_usecases::record::LeagueDefaults;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::{OfLeague, RecordReader};
use crate::codes::{Code, ModelKindCode, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FormatQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::wire::{Field, Subject, TableOf, Tabular, wire, with_fields};

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

wire! {
    /// A model of a league.
    #[schema(as = LeagueModel)]
    pub row ModelItem(model: LeagueModel) {
        let kind = model.kind();
        let LeagueModel { name, declaration, places, markets } = model;
        let described = declaration.as_ref();
        let own = described.filter(|_| kind == ModelKind::Own);
        let types = own.map_or_else(|| ModelType::ALL.into(), |own| own.model_types.clone());

        /// The name, which parameters and columns have.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(name),
        /// `standard` for a model of the specification, `own` for a model that the publisher declared.
        kind: ModelKindCode = Code(kind),
        /// The name for people; the name itself if the publisher gave no other.
        #[schema(example = "Elo with travel")]
        title: String = described.map_or_else(|| name.to_string(), |model| model.shown_title().to_owned()),
        /// A description by the publisher; null without one.
        #[schema(required)]
        description: Option<String> = described.and_then(|model| model.description.clone()),
        /// An address with more about the model, by the publisher; null without one.
        #[schema(required, example = "https://example.com/elo")]
        url: Option<String> = described.and_then(|model| model.url.clone()),
        /// True if the public feed shows the model.
        public: bool = own.is_none_or(|own| own.public),
        /// The markets that the model forecasts.
        model_types: Vec<ModelTypeCode> = types.into_iter().map(Code).collect(),
        /// The time of the release that declared the model; null for a standard model.
        #[schema(required)]
        declared_at: Option<DateTime<Utc>> = own.map(|own| own.declared.at),
        /// The generation of that release; null for a standard model.
        #[schema(required)]
        declared_generation: Option<u64> = own.map(|own| own.declared.generation.get()),
        /// The time of the release that retired the model; null for a model in use.
        #[schema(required)]
        retired_at: Option<DateTime<Utc>> = own.and_then(|own| own.retired).map(|moment| moment.at),
        /// The versions of the model, newest first, 64 at most.
        versions: Vec<ModelVersionItem> = described
            .iter()
            .flat_map(|model| model.versions.iter().rev())
            .map(|version| ModelVersionItem::new(version, places.get(&version.since.generation).copied()))
            .collect(),
        /// The markets with games of the model; empty for a standard model.
        markets: Vec<ModelMarketItem> = markets.into_iter().map(ModelMarketItem::new).collect(),
    }
}

wire! {
    /// A version of a model.
    #[schema(as = ModelVersion)]
    pub struct ModelVersionItem(version: &ModelVersion, record_index: Option<u64>) {
        /// The version, in the publisher's words.
        #[schema(example = "2026.11.2")]
        version: String = version.version.clone(),
        /// A SHA-256 that the publisher chose, such as the hash of a file of weights; null without one.
        #[schema(required)]
        sha256: Option<String> = version.sha256.map(|hash| hash.to_string()),
        /// The generation that introduced the version.
        since_generation: u64 = version.since.generation.get(),
        /// The time at which that generation was published.
        published_at: DateTime<Utc> = version.since.at,
        /// The index of the version's leaf in the league's tree; null for a version from before the tree.
        #[schema(required)]
        record_index: Option<u64> = record_index,
    }
}

wire! {
    /// The games of a model in one market.
    #[schema(as = ModelMarket)]
    pub struct ModelMarketItem(games: ModelGames) {
        /// The market.
        model_type: ModelTypeCode = Code(games.model_type),
        /// The seasons with games of the model, newest first.
        #[schema(example = json!(["2025-26", "2024-25"]))]
        seasons: Vec<String> = games.seasons.iter().map(ToString::to_string).collect(),
        /// Games with a probability of the model, graded or not.
        #[schema(example = 553)]
        games: usize = games.games,
        /// The games among these that started before the model was declared.
        #[schema(example = 553)]
        games_before: usize = games.games_before,
    }
}

/// Versions are no columns.
impl Field for Vec<ModelVersionItem> {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        _: &'static str,
        _: Subject<'a>,
        _: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        table
    }
}

/// Markets are no columns.
impl Field for Vec<ModelMarketItem> {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        _: &'static str,
        _: Subject<'a>,
        _: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        table
    }
}

wire! {
    /// The default model of each market.
    #[schema(as = MarketHeadlines)]
    pub struct HeadlinesItem(defaults: &LeagueDefaults) {
        let of = |model_type| Code(defaults.of_market(model_type));

        /// The default model of totals.
        #[schema(example = "BLEND")]
        over_under: ModelNameCode = of(ModelType::OverUnder),
        /// The default model of moneylines.
        #[schema(example = "BLEND")]
        won_on_points: ModelNameCode = of(ModelType::WonOnPoints),
        /// The default model of spreads.
        #[schema(example = "BLEND")]
        won_on_spread: ModelNameCode = of(ModelType::WonOnSpread),
    }
}

wire! {
    /// The models of a league.
    #[schema(as = LeagueModels)]
    pub struct ModelsResponse(source: LeagueModels) {
        let LeagueModels { sport, defaults, models } = source;
        let models = models.into_iter().map(ModelItem::new).collect();

        /// The league.
        sport: SportCode = Code(sport),
        /// The default model of the league: the one that the publisher named, else BLEND if it has values in a market, else the
        /// first model that has, in the order of `headlines`.
        #[schema(example = "BLEND")]
        headline: ModelNameCode = Code(defaults.league),
        /// The default model of each market: the model of an answer to a request that names none. It is the one that the
        /// publisher named, else the first with a value in the market's newest season with forecasts or in its slate: BLEND, own
        /// models in order of declaration, CATB, RF, LGB, LOGR, XGB, XT, AI, retired models; `headline` in a market without
        /// forecasts.
        headlines: HeadlinesItem = HeadlinesItem::new(&defaults),
        /// The models: those of the specification, then those that the publisher declared, in order of declaration.
        models: Vec<ModelItem> = models,
    }
}

/// Rows are models.
impl Tabular for ModelsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let models = TableOf::rows(&self.models).constant("sport", self.sport).constant("headline", self.headline);
        with_fields(models).columns()
    }
}

/// List a league's models
///
/// The eight models of the specification and those that the publisher declared, each with its title, versions and
/// games. `headlines` has the model of an answer to a request that names none, for each market. A game in `games_before` started before its
/// model was declared: its probability was recorded as a column without a meaning.
#[utoipa::path(
    get, path = "/api/v1/models/{sport}",
    tag = "discovery",
    params(SportPath),
    responses(
        (status = 200, description = "The models", body = ModelsResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("models/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn list_models(
    _reader: RecordReader<OfLeague>,
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
        .respond_to(question, |answer| Rows(ModelsResponse::new(answer)))
        .await
}
