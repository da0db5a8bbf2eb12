//! Verification of season archives against the numbers and models that entries record of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{NamedColumn, Registry, ShownTo};
use sports_publication::{
    Catalog, Generation, ModelsEntry, ResultsEntry, RowComparison, SeasonArchive, SeasonCoverage,
};

use super::difference::{Difference, VerifyError};
use crate::record::{Archives, Defaults, ForecastSeasons, Slates};

/// The number of archives that are kept for the next entry, whose rows are compared with theirs: those of a season and of
/// the one before, in three markets, before and after an entry.
const KEPT: usize = 12;

/// The archives of a log, each counted once: most archives carry over from one entry to the next.
#[derive(Default)]
pub(super) struct VerifiedArchives {
    counts: HashMap<SeasonRef, ArchiveCounts>,
    /// The archives with live rows that were read last, the newest last.
    kept: VecDeque<(SeasonRef, Arc<SeasonArchive>)>,
    /// The registry of the last entry, with its object.
    registry: (Option<ModelsEntry>, Registry),
}

/// The numbers that an entry records of an archive.
struct ArchiveCounts {
    coverage: SeasonCoverage,
    /// The number of games with a value of each own model.
    models: BTreeMap<ModelName, usize>,
    /// The models with a probability.
    forecast: Arc<BTreeSet<ModelName>>,
    /// True if a row is live.
    is_live: bool,
    /// True if a row is followed in the tree.
    is_followed: bool,
}

impl VerifiedArchives {
    /// Returns the object of each archive.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectHash> {
        self.counts.keys().map(|archive| archive.object)
    }

    /// Verifies the archives that an entry names, and their coverage.
    pub(super) async fn verify_coverage(&mut self, archives: &Archives, catalog: &Catalog) -> Result<(), VerifyError> {
        let generation = catalog.generation;
        for (archive, results) in archives_of(catalog) {
            let SeasonRef { market, season, .. } = archive;
            if !self.counts.contains_key(&archive) {
                let read = self.stored(archives, &archive, generation).await?;
                self.counts.insert(archive, ArchiveCounts::of(&read));
            }
            if !self.counts.get(&archive).is_some_and(|counts| counts.coverage == results.coverage) {
                return Err(Difference::Coverage { generation, market, season }.into());
            }
        }
        Ok(())
    }

    /// Returns true for an archive with a live row, which is one of the archives that were verified.
    pub(super) fn is_live(&self, archive: &SeasonRef) -> bool {
        self.counts.get(archive).is_some_and(|counts| counts.is_live)
    }

    /// Returns true if the rows of a season may have changed in the tree. Rows without a forecast change none by their arrival.
    pub(super) fn may_change(&self, sides: &[Option<SeasonRef>; 2]) -> bool {
        let is_followed = |archive| self.counts.get(archive).is_some_and(|counts| counts.is_followed);
        let followed = sides.iter().flatten().filter(|archive| is_followed(archive)).count();
        followed == sides.len() || sides.iter().flatten().any(|archive| self.is_live(archive))
    }

    /// Returns an archive.
    pub(super) async fn stored(
        &mut self,
        archives: &Archives,
        season: &SeasonRef,
        generation: Generation,
    ) -> Result<Arc<SeasonArchive>, VerifyError> {
        if let Some((_, kept)) = self.kept.iter().find(|(kept, _)| kept == season) {
            return Ok(Arc::clone(kept));
        }
        let read = match archives.read(season).await {
            Ok(read) => Arc::new(read),
            Err(source @ PortError::Corrupt { .. }) => {
                let (market, season) = (season.market, season.season);
                return Err(Difference::Archive { generation, market, season, source }.into());
            }
            Err(source @ PortError::Unavailable { .. }) => return Err(VerifyError::Port(source)),
        };
        if has_followed_row(&read) {
            self.kept.push_back((*season, Arc::clone(&read)));
            self.kept.drain(..self.kept.len().saturating_sub(KEPT));
        }
        Ok(read)
    }

    /// Returns the registry of the entry that was verified last.
    pub(super) const fn registry(&self) -> &Registry {
        &self.registry.1
    }

    /// Verifies that the registry of an entry declares the models of its archives, and that the entry records their
    /// numbers of games.
    pub(super) async fn verify_models(&mut self, slates: &Slates, catalog: &Catalog) -> Result<(), VerifyError> {
        if self.registry.0 != catalog.models {
            self.registry = (catalog.models, slates.registry(catalog).await.map_err(VerifyError::Port)?);
        }
        let generation = catalog.generation;
        for (archive, results) in archives_of(catalog) {
            let SeasonRef { market, season, .. } = archive;
            let Some(ArchiveCounts { models, .. }) = self.counts.get(&archive) else { continue };
            if let Some(model) = models.keys().find(|model| !self.declares(**model, market)).copied() {
                return Err(Difference::UndeclaredModel { generation, market, season, model }.into());
            }
            for model in models.keys().chain(results.models.keys()).copied() {
                let [found, recorded] = [models, &results.models].map(|of| of.get(&model).copied().unwrap_or(0));
                if found != recorded {
                    return Err(Difference::ModelGames { generation, market, season, model, found, recorded }.into());
                }
            }
        }
        self.verify_defaults(slates, catalog).await
    }

    /// Verifies the default models that an entry records.
    async fn verify_defaults(&self, slates: &Slates, catalog: &Catalog) -> Result<(), VerifyError> {
        if catalog.default_models.is_empty() {
            return Ok(());
        }
        let (registry, unrecorded) = (&self.registry.1, Catalog { default_models: BTreeMap::new(), ..catalog.clone() });
        let defaults = Defaults { catalog: &unrecorded, registry, shown_to: ShownTo::Subscribers };
        for (model_type, recorded) in &catalog.default_models {
            let slate = match catalog.predictions.get(model_type) {
                Some(entry) => {
                    let read = slates.predictions(catalog.sport, &entry.artifact).await;
                    Some(read.map_err(VerifyError::Port)?)
                }
                None => None,
            };
            let found = defaults.of_market(*model_type, slate.as_ref(), self).await.map_err(VerifyError::Port)?;
            let found = found.unwrap_or(Registry::DEFAULT_HEADLINE);
            if registry.declared_headline().is_some() || found != *recorded {
                let (generation, market) = (catalog.generation, Market::new(catalog.sport, *model_type));
                return Err(Difference::DefaultModel { generation, market, found, recorded: *recorded }.into());
            }
        }
        Ok(())
    }

    fn declares(&self, model: ModelName, market: Market) -> bool {
        let column = self.registry.1.column(model.as_str(), Some(market.model_type));
        matches!(column, NamedColumn::Model(_) | NamedColumn::Retired(_))
    }
}

/// The archives that were verified.
#[async_trait]
impl ForecastSeasons for VerifiedArchives {
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        Ok(self.counts.get(season).map(|counts| Arc::clone(&counts.forecast)).unwrap_or_default())
    }
}

/// Returns the archives that an entry names.
pub(super) fn archives_of(catalog: &Catalog) -> impl Iterator<Item = (SeasonRef, &ResultsEntry)> {
    catalog.results.iter().map(|((model_type, season), results)| {
        (SeasonRef::from_artifact(Market::new(catalog.sport, *model_type), *season, &results.artifact), results)
    })
}

impl ArchiveCounts {
    fn of(archive: &SeasonArchive) -> Self {
        Self {
            coverage: SeasonCoverage::from_archive(archive),
            models: archive.model_counts(),
            forecast: Arc::new(archive.forecast_models()),
            is_live: archive.games().iter().any(|game| game.forecast.is_live()),
            is_followed: has_followed_row(archive),
        }
    }
}

fn has_followed_row(archive: &SeasonArchive) -> bool {
    archive.games().iter().any(RowComparison::follows)
}
