use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use futures::stream::{StreamExt, TryStreamExt};
use futures::{future, stream};
use sports_domain::{Market, ModelColumn, ModelName, ModelType, Season, Sport, eastern_date, eastern_instant};
use sports_performance::SeasonGame;
use sports_ports::PortError;
use sports_publication::registry::{RegisteredModel, Registry};
use sports_publication::{Catalog, EntryLeaves, Generation};

use super::season_figures::{Implied, QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics};
use crate::record::{LeagueDefaults, PastRecord};

/// The number of entries whose leaves are read concurrently.
const READ_AT_ONCE: usize = 16;

/// The models of a league.
#[derive(Debug, Clone, PartialEq)]
pub struct LeagueModels {
    pub sport: Sport,
    pub defaults: LeagueDefaults,
    /// The models of the specification, then the publisher's own in order of declaration.
    pub models: Vec<LeagueModel>,
}

/// The origin of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// A model of the specification.
    Standard,
    /// A model that the publisher declared.
    Own,
}

/// A model of a league and its games.
#[derive(Debug, Clone, PartialEq)]
pub struct LeagueModel {
    pub name: ModelName,
    /// Its declaration; `None` for a model of the specification that the publisher did not describe.
    pub declaration: Option<RegisteredModel>,
    /// The places of its versions in the league's tree, by the generation that declared them; none from before the tree.
    pub places: BTreeMap<Generation, u64>,
    /// The markets with games of an own model; empty for a standard model.
    pub markets: Vec<ModelGames>,
}

/// The games of one model in one market.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelGames {
    pub model_type: ModelType,
    /// The seasons with a probability of the model, newest first.
    pub seasons: Vec<Season>,
    /// The games with a probability of the model.
    pub games: usize,
    /// The games among these that started before the model was declared.
    pub games_before: usize,
}

impl ModelKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Own];

    /// Returns the word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Own => "own",
        }
    }
}

impl LeagueModel {
    /// Returns the origin of the model.
    pub fn kind(&self) -> ModelKind {
        if self.name.column().is_some() { ModelKind::Standard } else { ModelKind::Own }
    }
}

/// The parameters of a query for the models of a league. The seasons are those with a probability of an own model.
#[derive(Hash)]
pub(super) struct ModelsQuestion {
    sport: Sport,
    registry: Arc<Registry>,
    defaults: LeagueDefaults,
    seasons: Vec<ModelSeason>,
    /// The places of versions follow from the registry.
    tree: Implied<LeagueTree>,
}

/// The tree of a league.
struct LeagueTree {
    sport: Sport,
    record: Arc<PastRecord>,
}

/// The games of one own model in a season of one market.
#[derive(Debug, Clone, Copy, Hash)]
struct ModelSeason {
    model: ModelName,
    season: PublishedSeason,
    first_date: Option<NaiveDate>,
    games: usize,
}

impl ModelsQuestion {
    /// Collects the own models of a catalog and the seasons with their games, newest first.
    pub(super) fn in_catalog(
        catalog: &Catalog,
        registry: &Arc<Registry>,
        defaults: LeagueDefaults,
        record: Arc<PastRecord>,
    ) -> Self {
        let mut seasons = Vec::new();
        for ((model_type, season), entry) in catalog.results.iter().rev() {
            let published = PublishedSeason::from_entry(Market::new(catalog.sport, *model_type), *season, entry);
            let first_date = entry.coverage.first_date;
            let of_model = |(model, games): (&ModelName, &usize)| ModelSeason {
                model: *model,
                season: published,
                first_date,
                games: *games,
            };
            seasons.extend(entry.models.iter().map(of_model));
        }
        let tree = Implied(LeagueTree { sport: catalog.sport, record });
        Self { sport: catalog.sport, registry: Arc::clone(registry), defaults, seasons, tree }
    }

    async fn markets(&self, model: &RegisteredModel, figures: &SeasonFigures) -> Result<Vec<ModelGames>, PortError> {
        let mut markets = Vec::new();
        for model_type in ModelType::ALL {
            let is_of = |of: &&ModelSeason| of.model == model.name && of.season.archive.market.model_type == model_type;
            let seasons: Vec<_> = self.seasons.iter().filter(is_of).collect();
            let mut before = 0;
            for season in &seasons {
                before += season.games_before(model.declared.at, figures).await?;
            }
            if !seasons.is_empty() {
                markets.push(ModelGames {
                    model_type,
                    seasons: seasons.iter().map(|of| of.season.archive.season).collect(),
                    games: seasons.iter().map(|of| of.games).sum(),
                    games_before: before,
                });
            }
        }
        Ok(markets)
    }
}

impl ModelSeason {
    /// Counts the games that started before an instant. A season is opened only if the instant is within its dates.
    async fn games_before(&self, at: DateTime<Utc>, figures: &SeasonFigures) -> Result<usize, PortError> {
        let date = eastern_date(at);
        if self.season.last_date.is_some_and(|last| last < date) {
            return Ok(self.games);
        }
        if self.first_date.is_none_or(|first| first > date) {
            return Ok(0);
        }
        Ok(figures.open(&self.season).await?.started_before(at, self.model))
    }
}

impl LeagueTree {
    /// Returns the leaves of the entries that declared versions of models, by generation.
    async fn leaves(&self, registry: &Registry) -> Result<BTreeMap<Generation, Arc<EntryLeaves>>, PortError> {
        let versions = registry.models().iter().flat_map(|model| &model.versions);
        let declared: BTreeSet<_> = versions.map(|version| version.since.generation).collect();
        let reads: Vec<_> = declared
            .into_iter()
            .map(|at| {
                let (record, sport) = (Arc::clone(&self.record), self.sport);
                async move { Ok(record.leaves(sport, at).await?.map(|leaves| (at, leaves))) }
            })
            .collect();
        stream::iter(reads).buffered(READ_AT_ONCE).try_filter_map(future::ok).try_collect().await
    }
}

impl SeasonAnalytics {
    /// Counts the games with a probability of a model that started before an instant; a game without a time started on
    /// its date.
    fn started_before(&self, at: DateTime<Utc>, model: ModelName) -> usize {
        let Some(model) = self.models.id(model.as_str()) else { return 0 };
        let is_before = |game: &SeasonGame<'_>| {
            let key = game.key();
            key.time.map_or(key.date < eastern_date(at), |time| eastern_instant(key.date, time) < at)
        };
        let games = self.season_games().filter(|game| game.market().probability(model).is_some());
        games.filter(is_before).count()
    }
}

impl QuestionKind for ModelsQuestion {
    type Answer = LeagueModels;

    async fn answer(self, figures: &SeasonFigures) -> Result<LeagueModels, PortError> {
        let registry = &self.registry;
        let standard = ModelColumn::FORECASTS.map(ModelName::of).into_iter().map(|name| LeagueModel {
            name,
            declaration: registry.get(name.as_str()).cloned(),
            places: BTreeMap::new(),
            markets: Vec::new(),
        });
        let mut models: Vec<_> = standard.collect();
        for model in registry.own() {
            let (markets, places) = (self.markets(model, figures).await?, BTreeMap::new());
            models.push(LeagueModel { name: model.name, declaration: Some(model.clone()), places, markets });
        }
        let leaves = self.tree.0.leaves(registry).await?;
        for model in &mut models {
            let places = leaves.iter().filter_map(|(at, leaves)| Some((*at, leaves.place_of_model(model.name)?)));
            model.places = places.collect();
        }
        Ok(LeagueModels { sport: self.sport, defaults: self.defaults, models })
    }
}
