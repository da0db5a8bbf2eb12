//! Earlier generations of a league, read from the store on request.
//!
//! The work for them is queued, so that it does not slow down requests for the present. A turn is always taken outside
//! of a cache: a reader that holds a turn never waits for another one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use futures::channel::oneshot;
use futures::future::BoxFuture;
use sports_domain::content::ObjectHash;
use sports_domain::{ModelName, ModelType, Sport};
use sports_ledger::EntryFacts;
use sports_ports::publication::LogEntry;
use sports_ports::results::ResultCache;
use sports_ports::seasons::{SeasonRef, Weighed};
use sports_ports::{PortError, error_chain};
use sports_publication::registry::{Registry, ShownTo};
use sports_publication::{ArtifactRef, Catalog, EntryLeaves, Generation, Odds, Predictions, RecordHead};

use super::default_models::{Defaults, ForecastSeasons, LeagueDefaults};
use super::{CurrentGenerations, LeagueGeneration, Preparation, leaves_of};
use crate::league_markets::markets_of;
use crate::unsettled::UnsettledGames;

/// The bound on concurrent work for earlier moments.
///
/// # Contract
///
/// - Some work runs at a time, and other work is queued. Work that is queued for too long is refused with
///   [`PortError::Unavailable`], and does not run.
#[async_trait]
pub trait WorkQueue: Send + Sync {
    /// Runs work when its turn comes.
    async fn run(&self, work: BoxFuture<'static, ()>) -> Result<(), PortError>;
}

/// Runs work at once, for a program that works for one person.
pub struct Inline;

#[async_trait]
impl WorkQueue for Inline {
    async fn run(&self, work: BoxFuture<'static, ()>) -> Result<(), PortError> {
        work.await;
        Ok(())
    }
}

/// The earlier generations of all leagues.
pub struct PastRecord {
    generations: Arc<CurrentGenerations>,
    parts: Arc<dyn ResultCache<PastPart>>,
    preparation: Arc<dyn Preparation>,
    queue: Arc<dyn WorkQueue>,
}

impl PastRecord {
    /// Creates the record below the current generations. `parts` caches entries and slates, and `preparation` opens
    /// earlier archives.
    pub fn new(
        generations: Arc<CurrentGenerations>,
        parts: Arc<dyn ResultCache<PastPart>>,
        preparation: Arc<dyn Preparation>,
        queue: Arc<dyn WorkQueue>,
    ) -> Self {
        Self { generations, parts, preparation, queue }
    }

    /// Opens an earlier generation.
    pub(crate) async fn open(
        self: &Arc<Self>,
        sport: Sport,
        facts: &EntryFacts,
        current: Arc<LeagueGeneration>,
    ) -> Result<PastGeneration, PortError> {
        let (facts, ledger) = (*facts, Arc::clone(self.generations.ledgers().of(sport)));
        let load = async move { ledger.entry(&facts).await.map(PastPart::of_entry) };
        let part = self.part(facts.digest, load).await?;
        Ok(PastGeneration::new(Arc::clone(self), part.as_entry()?.clone(), current))
    }

    /// Returns the leaves that an entry adds to the tree; `None` for an entry from before the tree.
    pub(crate) async fn leaves(
        self: &Arc<Self>,
        sport: Sport,
        generation: Generation,
    ) -> Result<Option<Arc<EntryLeaves>>, PortError> {
        let generations = Arc::clone(&self.generations);
        let load = async move {
            let read = leaves_of(generations.ledgers(), generations.slates(), sport, generation).await;
            read.map(PastPart::of_leaves)
        };
        let part = self.part(name_of(&["leaves", sport.code(), &generation.to_string()]), load).await?;
        Ok(part.as_leaves()?.cloned())
    }

    /// Returns a part from memory, or loads it when its turn comes. Entries have the name of their digest.
    async fn part(
        self: &Arc<Self>,
        name: ObjectHash,
        load: impl Future<Output = Result<PastPart, PortError>> + Send + 'static,
    ) -> Result<Arc<PastPart>, PortError> {
        if let Some(part) = self.parts.cached(&name).await {
            return Ok(part);
        }
        let parts = Arc::clone(&self.parts);
        let loading = async move { parts.result(name, Box::pin(async { load.await.map(Arc::new) })).await };
        Box::pin(self.run_queued(loading)).await
    }

    /// Returns the games of the live season of an earlier catalog without an ending.
    async fn unsettled(self: &Arc<Self>, entry: Arc<LogEntry>) -> Result<UnsettledGames, PortError> {
        let preparation = Arc::clone(&self.preparation);
        self.run_queued(async move { preparation.unsettled(&entry.catalog).await }).await
    }

    /// Runs work for an earlier moment when its turn comes. Data that cannot be read is unavailable: it may be repaired, and
    /// other moments can be answered.
    async fn run_queued<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        run_queued(&*self.queue, work).await.map_err(unreadable)
    }

    /// Returns the generations that later entries became.
    pub(crate) const fn generations(&self) -> &Arc<CurrentGenerations> {
        &self.generations
    }

    /// Returns the bound on concurrent work.
    pub(crate) const fn queue(&self) -> &Arc<dyn WorkQueue> {
        &self.queue
    }
}

/// Returns the name of a part that is no entry.
fn name_of(parts: &[&str]) -> ObjectHash {
    ObjectHash::from_parts(parts.iter().map(|part| part.as_bytes()))
}

/// Runs work when its turn comes.
pub(crate) async fn run_queued<T: Send + 'static>(
    queue: &dyn WorkQueue,
    work: impl Future<Output = Result<T, PortError>> + Send + 'static,
) -> Result<T, PortError> {
    let (done, result) = oneshot::channel();
    let work = async move {
        // Without a receiver, the request has ended.
        drop(done.send(work.await));
    };
    queue.run(Box::pin(work)).await?;
    result.await.map_err(|ended| PortError::unavailable("an earlier moment", ended))?
}

/// Converts the error of damaged data to the error of unavailable data, and logs it.
pub fn unreadable(error: PortError) -> PortError {
    match error {
        PortError::Corrupt { port, source } => {
            let reason = error_chain(&*source);
            tracing::error!(reason, "an earlier moment cannot be read: {reason}");
            PortError::Unavailable { port, source }
        }
        unavailable @ PortError::Unavailable { .. } => unavailable,
    }
}

/// An earlier generation. Its parts are read when a query needs them.
#[derive(Clone)]
pub struct PastGeneration {
    record: Arc<PastRecord>,
    entry: PastEntry,
    /// The generation that was current at the request; its parts are not loaded twice.
    current: Arc<LeagueGeneration>,
}

impl PastGeneration {
    const fn new(record: Arc<PastRecord>, entry: PastEntry, current: Arc<LeagueGeneration>) -> Self {
        Self { record, entry, current }
    }

    /// Returns the catalog of the entry.
    pub fn catalog(&self) -> &Catalog {
        &self.entry.entry.catalog
    }

    pub(crate) const fn entry(&self) -> &Arc<LogEntry> {
        &self.entry.entry
    }

    /// Returns the head of the tree after the entry; `None` before the tree.
    pub(crate) const fn record_head(&self) -> Option<&RecordHead> {
        self.entry.record_head.as_ref()
    }

    /// Returns true if any entry of the record was published with a time set by hand: those come first.
    pub fn is_simulated(&self) -> bool {
        self.current.simulated
    }

    /// Returns the generation that was current at the request.
    pub(crate) const fn newest(&self) -> &Arc<LeagueGeneration> {
        &self.current
    }

    fn sport(&self) -> Sport {
        self.catalog().sport
    }

    /// Returns the predictions of a market.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn predictions(&self, model_type: ModelType) -> Result<Option<Arc<Predictions>>, PortError> {
        let Some(named) = self.catalog().predictions.get(&model_type).map(|entry| entry.artifact.clone()) else {
            return Ok(None);
        };
        if let Some(known) = self.current.known_predictions(model_type, &named) {
            return Ok(Some(known));
        }
        let (record, sport, artifact) = (Arc::clone(&self.record), self.sport(), named.clone());
        let load = async move {
            let read = record.generations.slates().predictions(sport, &artifact).await?;
            Ok(PastPart::stored(Content::Predictions(Arc::new(read)), artifact.bytes))
        };
        let part = self.record.part(name_of(&["predictions", sport.code(), &named.object.to_string()]), load).await?;
        let Content::Predictions(predictions) = &part.content else { return Err(another_kind()) };
        Ok(Some(Arc::clone(predictions)))
    }

    /// Returns the odds.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn odds(&self) -> Result<Option<Arc<Odds>>, PortError> {
        let Some(named) = self.catalog().odds.clone() else { return Ok(None) };
        if let Some(known) = self.current.known_odds(&named) {
            return Ok(Some(known));
        }
        self.stored_odds(named).await.map(Some)
    }

    async fn stored_odds(&self, named: ArtifactRef) -> Result<Arc<Odds>, PortError> {
        let (record, sport, object) = (Arc::clone(&self.record), self.sport(), named.object.to_string());
        let load = async move {
            let read = record.generations.slates().odds(sport, &named).await?;
            Ok(PastPart::stored(Content::Odds(Arc::new(read)), named.bytes))
        };
        let part = self.record.part(name_of(&["odds", sport.code(), &object]), load).await?;
        match &part.content {
            Content::Odds(odds) => Ok(Arc::clone(odds)),
            _ => Err(another_kind()),
        }
    }

    /// Returns the registry of models.
    ///
    /// # Errors
    ///
    /// [`PortError`] if it cannot be read.
    pub async fn registry(&self) -> Result<Arc<Registry>, PortError> {
        let Some(named) = self.catalog().models else { return Ok(Arc::default()) };
        if let Some(known) = self.current.known_registry(Some(&named)) {
            return Ok(known);
        }
        let (record, sport, object) = (Arc::clone(&self.record), self.sport(), named.object.to_string());
        let load = async move {
            let read = record.generations.slates().models(sport, &named).await?;
            Ok(PastPart::stored(Content::Registry(Arc::new(read)), named.bytes))
        };
        let part = self.record.part(name_of(&["models", sport.code(), &object]), load).await?;
        match &part.content {
            Content::Registry(registry) => Ok(Arc::clone(registry)),
            _ => Err(another_kind()),
        }
    }

    /// Returns the markets that the league has.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the record cannot be read.
    pub async fn markets(&self) -> Result<BTreeSet<ModelType>, PortError> {
        let (entry, registry) = (Arc::clone(&self.entry.entry), self.registry().await?);
        let log = Arc::clone(self.record.generations.log());
        let read = async move { markets_of(&*log, &entry.catalog, registry.league()).await };
        self.record.run_queued(read).await
    }

    /// Returns the default model of a market, as these readers see the league.
    ///
    /// # Errors
    ///
    /// [`PortError`] if predictions or an archive cannot be read.
    pub async fn default_model(
        &self,
        registry: &Registry,
        model_type: ModelType,
        shown_to: ShownTo,
    ) -> Result<ModelName, PortError> {
        let (slate, seasons) = (self.predictions(model_type).await?, QueuedSeasons(Arc::clone(&self.record)));
        let defaults = Defaults { catalog: self.catalog(), registry, shown_to };
        match defaults.of_market(model_type, slate.as_deref(), &seasons).await? {
            Some(default) => Ok(default),
            None => Ok(self.default_models(shown_to).await?.of_market(model_type)),
        }
    }

    /// Returns the default models of the league, as these readers see it.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the registry, predictions or an archive cannot be read.
    pub async fn default_models(&self, shown_to: ShownTo) -> Result<LeagueDefaults, PortError> {
        let (registry, mut slates) = (self.registry().await?, BTreeMap::new());
        for model_type in ModelType::ALL {
            slates.extend(self.predictions(model_type).await?.map(|slate| (model_type, slate)));
        }
        let seasons = QueuedSeasons(Arc::clone(&self.record));
        Defaults { catalog: self.catalog(), registry: &registry, shown_to }.of_league(&slates, &seasons).await
    }

    /// Returns the games of the live season without an ending.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    pub async fn unsettled(&self) -> Result<UnsettledGames, PortError> {
        self.record.unsettled(Arc::clone(&self.entry.entry)).await
    }
}

/// The models of seasons that are opened when their turn comes.
struct QueuedSeasons(Arc<PastRecord>);

#[async_trait]
impl ForecastSeasons for QueuedSeasons {
    async fn forecast_models(&self, season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        let (preparation, season) = (Arc::clone(&self.0.preparation), *season);
        self.0.run_queued(async move { preparation.forecast_models(&season).await }).await
    }
}

/// The approximate memory of an entry beside its archives, in bytes.
const OF_AN_ENTRY: usize = 4096;

/// The approximate memory of an archive's place in an entry, in bytes.
const OF_AN_ARCHIVE: usize = 512;

/// The approximate memory of a leaf with its text, in bytes.
const OF_A_LEAF: usize = 512;

/// The approximate ratio of a slate in memory to its stored bytes.
const IN_MEMORY: usize = 3;

/// A part of an earlier generation, loaded and kept on its own.
#[derive(Debug)]
pub struct PastPart {
    content: Content,
    weight: usize,
}

/// The content of a part.
#[derive(Debug)]
enum Content {
    Entry(PastEntry),
    Odds(Arc<Odds>),
    Predictions(Arc<Predictions>),
    Registry(Arc<Registry>),
    /// `None` for an entry from before the tree.
    Leaves(Option<Arc<EntryLeaves>>),
}

/// An entry of the log.
#[derive(Debug, Clone)]
struct PastEntry {
    entry: Arc<LogEntry>,
    /// The head of the tree after the entry; `None` before the tree.
    record_head: Option<RecordHead>,
}

impl PastPart {
    /// Creates the part of an entry.
    fn of_entry(entry: LogEntry) -> Self {
        let weight = OF_AN_ENTRY + entry.catalog.results.len() * OF_AN_ARCHIVE;
        let record_head = RecordHead::of(&entry.catalog);
        Self { content: Content::Entry(PastEntry { entry: Arc::new(entry), record_head }), weight }
    }

    /// Creates a part of content with this number of stored bytes.
    fn stored(content: Content, bytes: u64) -> Self {
        let weight = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(IN_MEMORY);
        Self { content, weight }
    }

    /// Creates the part of the leaves of an entry.
    fn of_leaves(leaves: Option<EntryLeaves>) -> Self {
        let weight = leaves.as_ref().map_or(0, |leaves| leaves.leaves.len() * OF_A_LEAF);
        Self { content: Content::Leaves(leaves.map(Arc::new)), weight }
    }

    fn as_entry(&self) -> Result<&PastEntry, PortError> {
        match &self.content {
            Content::Entry(entry) => Ok(entry),
            _ => Err(another_kind()),
        }
    }

    fn as_leaves(&self) -> Result<Option<&Arc<EntryLeaves>>, PortError> {
        match &self.content {
            Content::Leaves(leaves) => Ok(leaves.as_ref()),
            _ => Err(another_kind()),
        }
    }
}

/// Returns the error of a part with another content than its name, which is a fault of the program.
fn another_kind() -> PortError {
    PortError::corrupt("an earlier moment", "a part has another content than its name")
}

impl Weighed for PastPart {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.weight
    }
}
