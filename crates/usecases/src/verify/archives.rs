//! Verification of season archives against the numbers and models that entries record of them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{NamedColumn, Registry};
use sports_publication::{
    Catalog, Generation, ModelsEntry, ResultsEntry, RowComparison, SeasonArchive, SeasonCoverage,
};

use super::difference::{Difference, VerifyError};
use crate::record::{Archives, Slates};

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

    /// Returns true for an archive with a row that is followed, which is one of the archives that were verified.
    pub(super) fn is_followed(&self, archive: &SeasonRef) -> bool {
        self.counts.get(archive).is_some_and(|counts| counts.is_followed)
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
        Ok(())
    }

    fn declares(&self, model: ModelName, market: Market) -> bool {
        let column = self.registry.1.column(model.as_str(), Some(market.model_type));
        matches!(column, NamedColumn::Model(_) | NamedColumn::Retired(_))
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
            is_followed: has_followed_row(archive),
        }
    }
}

fn has_followed_row(archive: &SeasonArchive) -> bool {
    archive.games().iter().any(RowComparison::follows)
}
