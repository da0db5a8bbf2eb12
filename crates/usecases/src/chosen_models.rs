//! The models that a request names, among those of a league.

use std::collections::BTreeSet;
use std::sync::Arc;

use sports_domain::{ModelColumn, ModelName, Sport};
use sports_performance::Summarised;
use sports_publication::registry::Registry;

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

    /// Returns the requested model, by default the headline model.
    ///
    /// # Errors
    ///
    /// [`NoSuchModel`] for a model that the league does not have.
    pub fn model(&self, requested: Option<ModelName>) -> Result<ModelName, NoSuchModel> {
        let registry = &self.registry;
        requested.map_or(Ok(registry.headline()), |name| self.checked(name, own(registry)))
    }

    /// Returns the requested model among those of the public feed. The default is the headline model, or BLEND if the
    /// headline model is not public.
    ///
    /// # Errors
    ///
    /// [`NoSuchModel`] for a model that is not public, as for a model that the league does not have.
    pub fn public_model(&self, requested: Option<ModelName>) -> Result<ModelName, NoSuchModel> {
        let registry = &self.registry;
        let public = || registry.own().filter(|model| model.public).map(|model| model.name);
        let headline = || {
            let headline = registry.headline();
            let is_shown = headline.column().is_some() || public().any(|name| name == headline);
            if is_shown { headline } else { Registry::DEFAULT_HEADLINE }
        };
        requested.map_or_else(|| Ok(headline()), |name| self.checked(name, public()))
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
                let models = ModelColumn::FORECASTS.into_iter().map(ModelName::of).chain(own(&self.registry));
                Ok(ListedModels::Named(models.chain(beside_models).collect()))
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
