//! The default models of a generation: [`Registry::default_model`] with the forecasts that its entry names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::{Market, ModelName, ModelType};
use sports_ports::seasons::SeasonRef;
use sports_ports::{PortError, error_chain};
use sports_publication::registry::{Registry, ShownTo};
use sports_publication::{Catalog, Predictions};

use super::Archives;

/// A source of the models with a probability of any game of a season.
#[async_trait]
pub trait ForecastSeasons: Send + Sync {
    /// Returns the models of a published season.
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError>;
}

#[async_trait]
impl ForecastSeasons for Archives {
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        Ok(Arc::new(self.read(season).await?.forecast_models()))
    }
}

/// The entry of a generation and its models, as these readers see them.
#[derive(Clone, Copy)]
pub struct Defaults<'g> {
    pub catalog: &'g Catalog,
    pub registry: &'g Registry,
    pub shown_to: ShownTo,
}

impl Defaults<'_> {
    /// Returns the default model of a market; `None` if no model that these readers see has a value there. Archives are opened
    /// only if neither the registry, nor the entry, nor the slate decides.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    pub async fn of_market(
        &self,
        model_type: ModelType,
        slate: Option<&Predictions>,
        seasons: &dyn ForecastSeasons,
    ) -> Result<Option<ModelName>, PortError> {
        let Self { catalog, registry, shown_to } = *self;
        let recorded = catalog.default_models.get(&model_type).copied().filter(|name| registry.shows(*name, shown_to));
        if let Some(known) = registry.headline_for(shown_to).or(recorded) {
            return Ok(Some(known));
        }
        let blend = Registry::DEFAULT_HEADLINE;
        if slate.is_some_and(|slate| slate.has_forecast_of(blend)) {
            return Ok(Some(blend));
        }
        let mut valued = slate.map(Predictions::forecast_models).unwrap_or_default();
        for (season, entry) in catalog.seasons(model_type).rev() {
            let market = Market::new(catalog.sport, model_type);
            let models = seasons.forecast_models(&SeasonRef::from_artifact(market, season, &entry.artifact)).await?;
            valued.extend(models.iter());
            if !models.is_empty() {
                break;
            }
        }
        Ok(registry.default_model(shown_to, &valued))
    }

    /// Returns the default model of the league and that of each market.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    pub async fn of_league(
        &self,
        slates: &BTreeMap<ModelType, Arc<Predictions>>,
        seasons: &dyn ForecastSeasons,
    ) -> Result<LeagueDefaults, PortError> {
        let mut markets = BTreeMap::new();
        for model_type in ModelType::ALL {
            let slate = slates.get(&model_type).map(AsRef::as_ref);
            markets.extend(self.of_market(model_type, slate, seasons).await?.map(|model| (model_type, model)));
        }
        let declared = self.registry.headline_for(self.shown_to);
        let first = || self.registry.default_model(self.shown_to, &markets.values().copied().collect());
        let league = declared.or_else(first).unwrap_or(Registry::DEFAULT_HEADLINE);
        for model_type in ModelType::ALL {
            markets.entry(model_type).or_insert(league);
        }
        Ok(LeagueDefaults { league, markets })
    }
}

/// The default models of a league.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeagueDefaults {
    /// A declared headline, else the first in order among the defaults of the markets with forecasts.
    pub league: ModelName,
    /// The default model of each market; that of the league in a market without forecasts.
    pub markets: BTreeMap<ModelType, ModelName>,
}

impl LeagueDefaults {
    /// Returns the default model of a market.
    pub fn of_market(&self, model_type: ModelType) -> ModelName {
        self.markets.get(&model_type).copied().unwrap_or(self.league)
    }
}

impl Default for LeagueDefaults {
    /// Returns the default models of a league without releases.
    fn default() -> Self {
        Self { league: Registry::DEFAULT_HEADLINE, markets: BTreeMap::new() }
    }
}

/// The models of seasons, of which a damaged one counts as without forecasts: it makes no other season unreadable.
pub(crate) struct UndamagedSeasons<'s, S: ?Sized>(pub &'s S);

#[async_trait]
impl<S: ForecastSeasons + ?Sized> ForecastSeasons for UndamagedSeasons<'_, S> {
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        match self.0.forecast_models(season).await {
            Err(PortError::Corrupt { source, .. }) => {
                let (market, season, reason) = (season.market, season.season, error_chain(&*source));
                tracing::error!(%market, %season, reason, "a season cannot be read for the default model");
                Ok(Arc::default())
            }
            read => read,
        }
    }
}
