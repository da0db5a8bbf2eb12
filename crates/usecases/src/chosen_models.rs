//! The models that a request names, among those of a league.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use sports_domain::{ModelColumn, ModelName, Sport};
use sports_performance::Summarised;
use sports_publication::registry::{Registry, ShownTo};

/// The error for a model that a league does not have, or does not show to this caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sport} has no model {name}")]
pub struct NoSuchModel {
    pub sport: Sport,
    /// The requested name.
    pub name: ModelName,
    /// The models that the caller may name, in their order.
    pub known: Vec<ModelName>,
}

/// The models that a league has at a moment.
#[derive(Debug, Clone)]
pub struct LeagueRegistry {
    sport: Sport,
    registry: Arc<Registry>,
    /// True if some models are left out.
    is_partial: bool,
}

impl LeagueRegistry {
    pub(crate) const fn new(sport: Sport, registry: Arc<Registry>) -> Self {
        Self { sport, registry, is_partial: false }
    }

    /// Leaves out the models that are not public.
    pub(crate) fn of_public_models(self) -> Self {
        if self.registry.hidden().next().is_none() {
            return self;
        }
        Self { registry: Arc::new(self.registry.of_public_models()), is_partial: true, ..self }
    }

    pub const fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Returns the models: those of the specification, then the publisher's own in order of declaration.
    pub fn names(&self) -> impl Iterator<Item = ModelName> {
        ModelColumn::FORECASTS.into_iter().map(ModelName::of).chain(own(&self.registry))
    }

    /// Returns a list of models if the league has each of them. All of a part are listed by name.
    ///
    /// # Errors
    ///
    /// [`NoSuchModel`] for the first model that it does not have.
    pub(crate) fn listed(&self, listed: ListedModels) -> Result<ListedModels, NoSuchModel> {
        let beside_models = [ModelColumn::Implied.name(), Summarised::Ensemble.name()];
        match listed {
            ListedModels::Named(names) => {
                let forecast = names.iter().filter(|name| !beside_models.contains(&name.as_str()));
                forecast.map(|name| self.checked(*name, own(&self.registry))).collect::<Result<Vec<_>, _>>()?;
                Ok(ListedModels::Named(names))
            }
            ListedModels::All if self.is_partial => {
                let beside_models = beside_models.into_iter().filter_map(|name| name.parse().ok());
                Ok(ListedModels::Named(self.names().chain(beside_models).collect()))
            }
            ListedModels::All => Ok(ListedModels::All),
        }
    }

    /// Returns the name if a standard or own model has it.
    fn checked(&self, name: ModelName, own: impl Iterator<Item = ModelName>) -> Result<ModelName, NoSuchModel> {
        let known: Vec<_> = ModelColumn::FORECASTS.into_iter().map(ModelName::of).chain(own).collect();
        if known.contains(&name) { Ok(name) } else { Err(NoSuchModel { sport: self.sport, name, known }) }
    }
}

fn own(registry: &Registry) -> impl Iterator<Item = ModelName> {
    registry.own().map(|model| model.name)
}

/// The models of a league at a moment as these readers see them, with the default of one market.
#[derive(Debug, Clone)]
pub struct MarketModels {
    league: LeagueRegistry,
    shown_to: ShownTo,
    default: ModelName,
}

impl MarketModels {
    pub(crate) const fn new(league: LeagueRegistry, shown_to: ShownTo, default: ModelName) -> Self {
        Self { league, shown_to, default }
    }

    pub const fn registry(&self) -> &Arc<Registry> {
        self.league.registry()
    }

    /// Returns the requested model, by default that of the market.
    ///
    /// # Errors
    ///
    /// [`NoSuchModel`] for a model that the league does not have, or does not show to these readers.
    pub fn model(&self, requested: Option<ModelName>) -> Result<ModelName, NoSuchModel> {
        requested.map_or(Ok(self.default), |name| self.league.checked(name, self.shown_own()))
    }

    /// Returns the models that the readers may name.
    pub fn names(&self) -> impl Iterator<Item = ModelName> {
        ModelColumn::FORECASTS.into_iter().map(ModelName::of).chain(self.shown_own())
    }

    fn shown_own(&self) -> impl Iterator<Item = ModelName> {
        own(self.registry()).filter(|name| self.registry().shows(*name, self.shown_to))
    }

    /// Returns the model of the market without a request for another.
    pub const fn default_model(&self) -> ModelName {
        self.default
    }

    /// Returns the note on a model without a value among those with one, in the order of models.
    pub fn missing(&self, model: ModelName, valued: &BTreeSet<ModelName>) -> Option<MissingModel> {
        let named = self.league.names().filter(|name| valued.contains(name));
        let shown = named.filter(|name| self.registry().shows(*name, self.shown_to)).collect();
        (!valued.is_empty() && !valued.contains(&model)).then_some(MissingModel { model, shown })
    }
}

/// The note of an answer whose model has no value in it although another has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissingModel {
    model: ModelName,
    /// The models with a value that the reader may name; none if the models with one are not public.
    shown: Vec<ModelName>,
}

impl MissingModel {
    /// Creates the note on a model without a value among those with one, for a reader who may not see some; `None` if the model
    /// has a value or none has.
    pub(crate) fn among(
        model: ModelName,
        valued: impl IntoIterator<Item = ModelName>,
        hidden: &[ModelName],
    ) -> Option<Self> {
        let mut all = Vec::new();
        for name in valued {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        if all.is_empty() || all.contains(&model) {
            return None;
        }
        all.retain(|name| !hidden.contains(name));
        Some(Self { model, shown: all })
    }
}

impl fmt::Display for MissingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no value here; models with one: ", self.model)?;
        let names: Vec<_> = self.shown.iter().map(ModelName::as_str).collect();
        if names.is_empty() { f.write_str("a model that is not public") } else { f.write_str(&names.join(", ")) }
    }
}

/// The models that an answer lists. A model that is left out changes no figure of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub enum ListedModels {
    /// Every model of the season.
    #[default]
    All,
    /// The models with these names, among which IMPLIED and ENSEMBLE can be.
    Named(BTreeSet<ModelName>),
}

impl ListedModels {
    /// Returns true if the subject with this name is listed.
    pub(crate) fn include(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(name),
        }
    }
}
