//! A draft of the next log entry, whose new content is not stored yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, Market, ModelType, Season, Sport};
use sports_ledger::entry_before;
use sports_ports::publication::{LogEntry, ObjectKind, PublicationLog};
use sports_ports::seasons::SeasonRef;
use sports_ports::signing::TreeLoss;
use sports_ports::{PortError, Random, random_bytes};
use sports_publication::registry::Registry;
use sports_publication::{
    ArtifactRef, Catalog, EntryChanges, EntryLeaves, ModelsEntry, Odds, Openers, Predictions, PredictionsEntry,
    ResultsEntry, RowComparison, SeasonArchive, SeasonArchives, SeasonCoverage, SlateArtifact, TreeEntry,
};
use sports_transparency::{Nonce, RightEdge, VerifierKey};

use crate::record::{Archives, Slates, off_thread};

/// The number of archives read concurrently.
const READS: usize = 8;

/// The number of objects written concurrently.
const UPLOADS: usize = 8;

/// The source time and slate date recorded for new content.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArtifactTimes {
    pub(super) source_as_of: DateTime<Utc>,
    pub(super) slate_date: NaiveDate,
}

impl ArtifactTimes {
    /// Returns the times of a published artifact.
    pub(super) const fn from_artifact(artifact: &ArtifactRef) -> Self {
        Self { source_as_of: artifact.source_as_of, slate_date: artifact.slate_date }
    }
}

/// Predictions to store, and the other fields of their catalog entry.
pub(super) struct NewPredictions {
    pub(super) predictions: Predictions,
    pub(super) times: ArtifactTimes,
    pub(super) held_games: Vec<GameKey>,
    pub(super) newer_odds_since: Option<DateTime<Utc>>,
}

/// A proposed change of the newest entry.
pub(super) struct Draft<R> {
    /// The catalog with everything that is published already and needs no upload.
    pub(super) catalog: Catalog,
    pub(super) archives: Vec<(SeasonArchive, ArtifactTimes)>,
    pub(super) odds: Option<(Odds, ArtifactTimes)>,
    pub(super) predictions: Vec<NewPredictions>,
    pub(super) openers: Option<(Openers, ArtifactTimes)>,
    /// The registry of models, if it changed.
    pub(super) models: Option<Registry>,
    /// The part of the entry's leaves that follows from the change.
    pub(super) changes: EntryChanges,
    /// The report of the revision.
    pub(super) report: R,
}

impl<R> Draft<R> {
    /// Creates a draft that stores nothing.
    pub(super) fn from_catalog(catalog: Catalog, report: R) -> Self {
        Self {
            catalog,
            archives: Vec::new(),
            odds: None,
            predictions: Vec::new(),
            openers: None,
            models: None,
            changes: EntryChanges::default(),
            report,
        }
    }

    /// Compares the rows of the archives that the draft changes or drops with those before.
    pub(super) fn compare_rows(&mut self, before: &SeasonArchives) {
        let dropped =
            before.keys().filter(|place| !self.catalog.results.contains_key(place)).map(|place| (*place, None));
        let changed = self.archives.iter().map(|(archive, _)| archive);
        let changed = changed.map(|archive| ((archive.market().model_type, archive.season()), Some(archive)));
        let mut comparison = RowComparison::of(&self.catalog.release_id);
        for (place, archive) in dropped.chain(changed).collect::<BTreeMap<_, _>>() {
            comparison.compare(before.get(&place), archive);
        }
        self.changes.rows = comparison.finish();
    }

    /// Returns true if the draft changes nothing in `existing`.
    pub(super) fn is_unchanged_from(&self, existing: &Catalog) -> bool {
        self.archives.is_empty()
            && self.odds.is_none()
            && self.predictions.is_empty()
            && self.openers.is_none()
            && self.models.is_none()
            && self.catalog.same_content(existing)
    }
}

/// The stores that content is written to.
#[derive(Clone)]
pub(super) struct Stores {
    pub(super) archives: Archives,
    pub(super) slates: Slates,
}

impl Stores {
    /// Reads the published archives among `wanted`; omits the rest.
    pub(super) async fn open_archives(
        &self,
        existing: &Catalog,
        wanted: Vec<(ModelType, Season)>,
    ) -> Result<SeasonArchives, PortError> {
        let mut reads = Vec::new();
        for place in wanted {
            if let Some(entry) = existing.results.get(&place) {
                let market = Market::new(existing.sport, place.0);
                let season = SeasonRef::from_artifact(market, place.1, &entry.artifact);
                reads.push(async move { Ok((place, self.archives.read(&season).await?)) });
            }
        }
        stream::iter(reads).buffered(READS).try_collect().await
    }

    /// Stores the new content of a draft and the leaves of its tree; returns the catalog that names both, and the report.
    pub(super) async fn complete<R>(&self, draft: Draft<R>, tree: NextTree) -> Result<(Catalog, R), PortError> {
        let leaves = tree.store(&self.slates, draft.catalog.sport);
        let ((mut catalog, report), tree) = futures::try_join!(self.content(draft), leaves)?;
        catalog.tree = Some(tree);
        Ok((catalog, report))
    }

    /// Stores the new content of a draft; returns the catalog that names the content, and the report.
    async fn content<R>(&self, draft: Draft<R>) -> Result<(Catalog, R), PortError> {
        let Draft { mut catalog, archives, odds, predictions, openers, models, report, .. } = draft;
        let mut writes = Vec::new();
        for (archive, times) in archives {
            writes.push(self.archive(&catalog, archive, times));
        }
        let results: Vec<_> = stream::iter(writes).buffered(UPLOADS).try_collect().await?;
        catalog.results.extend(results);
        for NewPredictions { predictions, times, held_games, newer_odds_since } in predictions {
            let (model_type, season) = (predictions.model_type(), predictions.season());
            let artifact = self.slate(&catalog, &SlateArtifact::Predictions(predictions), times).await?;
            catalog.predictions.insert(model_type, PredictionsEntry { artifact, season, held_games, newer_odds_since });
        }
        if let Some((odds, times)) = odds {
            catalog.odds = Some(self.slate(&catalog, &SlateArtifact::Odds(odds), times).await?);
        }
        if let Some((openers, times)) = openers {
            catalog.openers = Some(self.slate(&catalog, &SlateArtifact::Openers(openers), times).await?);
        }
        if let Some(registry) = models {
            let (object, bytes) = self.slates.write(catalog.sport, &SlateArtifact::Models(registry)).await?;
            catalog.models = Some(ModelsEntry { object, bytes });
        }
        Ok((catalog, report))
    }

    async fn archive(
        &self,
        catalog: &Catalog,
        archive: SeasonArchive,
        times: ArtifactTimes,
    ) -> Result<((ModelType, Season), ResultsEntry), PortError> {
        let (market, season, codec) = (archive.market(), archive.season(), Arc::clone(&self.archives.codec));
        // Encoding runs beside the uploads of other archives.
        let (bytes, coverage, models) = off_thread("the season archive format", move || {
            Ok((codec.encode(&archive)?, SeasonCoverage::from_archive(&archive), archive.model_counts()))
        })
        .await??;
        let size = bytes.len() as u64;
        let object = self.archives.objects.put(market.sport, ObjectKind::Parquet, bytes).await?;
        let entry = ResultsEntry { artifact: named(catalog, (object, size), times), coverage, models };
        Ok(((market.model_type, season), entry))
    }

    async fn slate(
        &self,
        catalog: &Catalog,
        artifact: &SlateArtifact,
        times: ArtifactTimes,
    ) -> Result<ArtifactRef, PortError> {
        Ok(named(catalog, self.slates.write(catalog.sport, artifact).await?, times))
    }
}

/// Returns a reference to stored content, attributed to the release of `catalog`.
pub(super) fn named(catalog: &Catalog, (object, bytes): (ObjectHash, u64), times: ArtifactTimes) -> ArtifactRef {
    ArtifactRef {
        object,
        bytes,
        published_at: catalog.published_at,
        source_as_of: times.source_as_of,
        slate_date: times.slate_date,
        release_id: catalog.release_id.clone(),
    }
}

// The tree of the next entry: its leaves, computed from the change and from the entry that it continues.

/// The tree of an entry whose leaves are not stored yet.
pub(super) struct NextTree {
    nonce: Nonce,
    edge: RightEdge,
    leaves: EntryLeaves,
    /// The keys that the tree announces.
    keys: Vec<VerifierKey>,
}

impl NextTree {
    /// Continues the tree of an entry. `entry` has its number, time, clock and link.
    pub(super) fn behind(
        before: Option<&Catalog>,
        entry: &Catalog,
        changes: &EntryChanges,
        random: &dyn Random,
    ) -> Result<Self, PortError> {
        let nonce = Nonce::new(random_bytes(random)?);
        let before = before.and_then(|before| before.tree.as_ref());
        let leaves = EntryLeaves::behind(before, changes.leaves(entry, &nonce));
        let known = before.map(|before| before.keys.as_slice()).unwrap_or_default();
        let keys = [known, &changes.keys].concat();
        Ok(Self { nonce, edge: leaves.edge(before), leaves, keys })
    }

    /// Stores the leaves; returns the tree that names them.
    pub(super) async fn store(self, slates: &Slates, sport: Sport) -> Result<TreeEntry, PortError> {
        let Self { nonce, edge, leaves, keys } = self;
        let first = leaves.first;
        Ok(TreeEntry { nonce, first, edge, leaves: slates.write_leaves(sport, leaves).await?, keys })
    }
}

/// Returns `true` if an entry that was added to the tree since a loss states it.
pub(super) async fn states_loss(
    log: &dyn PublicationLog,
    slates: &Slates,
    newest: &LogEntry,
    after: TreeLoss,
) -> Result<bool, PortError> {
    let sport = newest.catalog.sport;
    let mut catalog = newest.catalog.clone();
    while let Some(tree) = catalog.tree.as_ref().filter(|tree| tree.edge.size() > after.size) {
        let leaves = slates.leaves(sport, &tree.leaves).await?.leaves;
        if leaves.iter().filter_map(|leaf| leaf.fact.lost_checkpoint()).any(|lost| lost == after.checkpoint) {
            return Ok(true);
        }
        let Some(before) = entry_before(log, &catalog).await? else { break };
        catalog = before.catalog;
    }
    Ok(false)
}
