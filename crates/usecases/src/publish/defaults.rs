//! The default models of markets before and after a release.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::{Market, ModelName, ModelType, Season};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{Registry, ShownTo};
use sports_publication::{Catalog, LeagueRecord, Predictions, SeasonArchive};

use super::DefaultChange;
use crate::record::ForecastSeasons;

/// The models with a probability in the opened part of a record.
#[derive(Debug, PartialEq)]
pub(super) struct ForecastModels {
    seasons: BTreeMap<(ModelType, Season), BTreeSet<ModelName>>,
    slates: BTreeMap<ModelType, BTreeSet<ModelName>>,
}

impl ForecastModels {
    pub(super) fn of(record: &LeagueRecord) -> Self {
        let seasons = record.archives.iter().map(|(place, archive)| (*place, SeasonArchive::forecast_models(archive)));
        let slates = record.predictions.iter().map(|(of, slate)| (*of, Predictions::forecast_models(slate)));
        Self { seasons: seasons.collect(), slates: slates.collect() }
    }

    /// Returns true if a model of the specification has a probability.
    pub(super) fn have_standard(&self) -> bool {
        self.seasons.values().chain(self.slates.values()).flatten().any(|model| model.column().is_some())
    }

    /// Returns the models with a probability in the slate of a market, and in each opened season that has any.
    fn in_market(&self, model_type: ModelType) -> (BTreeSet<ModelName>, BTreeMap<Season, &BTreeSet<ModelName>>) {
        let seasons = self.seasons.iter().filter(|((of, _), models)| *of == model_type && !models.is_empty());
        let slate = self.slates.get(&model_type).cloned().unwrap_or_default();
        (slate, seasons.map(|((_, season), models)| (*season, models)).collect())
    }
}

/// A league's entry, registry and forecasts before or after a release.
pub(super) struct LeagueState<'r> {
    pub(super) catalog: Option<&'r Catalog>,
    pub(super) registry: &'r Registry,
    pub(super) forecasts: &'r ForecastModels,
}

impl LeagueState<'_> {
    fn has_market(&self, model_type: ModelType) -> bool {
        let has_seasons = self.catalog.is_some_and(|catalog| catalog.seasons(model_type).next().is_some());
        has_seasons || self.forecasts.in_market(model_type) != (BTreeSet::new(), BTreeMap::new())
    }

    /// Returns the default model of a market by its forecasts; reads seasons that were not opened.
    async fn default_of(
        &self,
        model_type: ModelType,
        archives: &dyn ForecastSeasons,
    ) -> Result<Option<ModelName>, PortError> {
        if let Some(declared) = self.registry.declared_headline() {
            return Ok(Some(declared));
        }
        let (mut valued, _) = self.forecasts.in_market(model_type);
        let mut seasons: BTreeMap<_, _> = self
            .catalog
            .into_iter()
            .flat_map(|catalog| catalog.seasons(model_type))
            .map(|(of, at)| (of, Some(at)))
            .collect();
        let opened = self.forecasts.seasons.iter().filter(|((of, _), _)| *of == model_type);
        for ((_, season), _) in opened {
            seasons.entry(*season).or_default();
        }
        for (season, entry) in seasons.into_iter().rev() {
            if valued.contains(&Registry::DEFAULT_HEADLINE) {
                break;
            }
            let opened = self.forecasts.seasons.get(&(model_type, season)).cloned();
            let models = match (opened, self.catalog.zip(entry)) {
                (Some(opened), _) => opened,
                (None, Some((catalog, entry))) => {
                    let market = Market::new(catalog.sport, model_type);
                    let season = SeasonRef::from_artifact(market, season, &entry.artifact);
                    archives.forecast_models(&season).await?.as_ref().clone()
                }
                (None, None) => BTreeSet::new(),
            };
            let has_forecasts = !models.is_empty();
            valued.extend(models);
            if has_forecasts {
                break;
            }
        }
        Ok(self.registry.default_model(ShownTo::Subscribers, &valued))
    }
}

/// Returns the default models that the entry after a release records, and the changes of defaults. A market is resolved only if
/// its models changed or are not resolved yet.
pub(super) async fn default_models(
    before: &LeagueState<'_>,
    after: &LeagueState<'_>,
    archives: &dyn ForecastSeasons,
) -> Result<(BTreeMap<ModelType, ModelName>, Vec<DefaultChange>), PortError> {
    let blend = Registry::DEFAULT_HEADLINE;
    let (mut recorded, mut changes) = (BTreeMap::new(), Vec::new());
    for model_type in ModelType::ALL {
        let known = before.catalog.and_then(|catalog| catalog.default_models.get(&model_type)).copied();
        let slate = &after.forecasts.in_market(model_type).0;
        let is_same = before.registry == after.registry
            && before.forecasts.in_market(model_type) == after.forecasts.in_market(model_type);
        let is_resolved = known.is_some() || slate.is_empty() || slate.contains(&blend);
        if is_same && is_resolved {
            recorded.extend(known.map(|known| (model_type, known)));
            continue;
        }
        let now = after.default_of(model_type, archives).await?;
        let then = match known {
            Some(known) => Some(known),
            None => before.default_of(model_type, archives).await?,
        };
        let is_by_forecasts = after.registry.declared_headline().is_none();
        recorded.extend(now.filter(|now| is_by_forecasts && *now != blend).map(|now| (model_type, now)));
        let then = then.unwrap_or(blend);
        if let Some(now) = now.filter(|now| *now != then && after.has_market(model_type)) {
            changes.push(DefaultChange { model_type, before: then, after: now });
        }
    }
    Ok((recorded, changes))
}
