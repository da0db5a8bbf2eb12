//! The commitment to a row's forecast, in the entry that made it.

use std::collections::BTreeSet;
use std::sync::Arc;

use sports_domain::{Market, ModelType, Season};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_ports::results::ResultCache;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};
use sports_publication::{
    ArchivedGame, Catalog, EntryLeaves, ForecastMade, ResultsEntry, SeasonArchive, TreeEntry, payload,
};
use sports_transparency::audit::LocatedOpening;
use sports_transparency::{LeafFact, Opening, WrittenLeaf};

use super::{ForecastRow, NoProof};
use crate::record::{TreeHead, TreeReader};

const PORT: &str = "the tree";

/// An entry that made forecasts, with its leaves.
pub struct Recording {
    entry: LogEntry,
    tree: TreeEntry,
    leaves: EntryLeaves,
}

/// The outcome of looking for the leaf of a row.
pub(super) enum Found {
    /// The leaf of the game commits to the row.
    Opened(LocatedOpening),
    /// The leaf of the game commits to something else.
    Differs,
    /// The game has no leaf.
    Absent,
}

impl Weighed for Recording {
    fn weight(&self) -> usize {
        // The names of a leaf and its text are about as long as its text in the store.
        let texts = usize::try_from(self.tree.leaves.bytes).unwrap_or(usize::MAX).saturating_mul(2);
        let leaves = (self.leaves.leaves.len() * size_of::<WrittenLeaf>()).saturating_add(texts);
        let results = self.entry.catalog.results.len() * size_of::<((ModelType, Season), ResultsEntry)>();
        size_of::<Self>().saturating_add(leaves).saturating_add(results)
    }
}

impl Recording {
    /// Creates the recording of an entry with this tree.
    pub(super) const fn new(entry: LogEntry, tree: TreeEntry, leaves: EntryLeaves) -> Self {
        Self { entry, tree, leaves }
    }

    /// Returns `true` if the entry made the forecast of a row.
    pub(super) fn is_of(&self, row: &ForecastRow<'_>) -> bool {
        row.release().is_some_and(|(run, _)| self.is_of_release(run))
    }

    /// Returns `true` if the entry is of a release.
    pub(super) fn is_of_release(&self, release: &str) -> bool {
        self.entry.catalog.release_id.as_str() == release
    }

    /// Opens the commitment to the forecast of a row.
    ///
    /// The row of today mostly is the row of the entry. Where it is not, since the game was moved or a model was declared
    /// later, the archives of the entry have what was committed to.
    pub(super) async fn opening<V: AsRef<SeasonArchive> + Send + Sync>(
        &self,
        seasons: &dyn SeasonViews<V>,
        row: &ForecastRow<'_>,
    ) -> Result<Found, PortError> {
        let found = self.find(row.archive, row.game);
        if matches!(found, Found::Opened(_)) {
            return Ok(found);
        }
        let model_type = row.archive.market().model_type;
        let catalog = &self.entry.catalog;
        for season in self.seasons(row) {
            let Some(results) = catalog.results.get(&(model_type, season)) else { continue };
            let market = Market::new(catalog.sport, model_type);
            let then = seasons.view(&SeasonRef::from_artifact(market, season, &results.artifact)).await?;
            let then = then.as_ref().as_ref();
            let id = row.game.facts.game_id.as_deref();
            let game = then.games().iter().find(|game| id.is_some() && game.facts.game_id.as_deref() == id);
            match game.map(|game| self.find(then, game)) {
                Some(Found::Absent) | None => {}
                Some(found) => return Ok(found),
            }
        }
        // A row that was imported can name a release of this log.
        Ok(Found::Absent)
    }

    /// Returns the seasons of the entry's forecasts in the market of a row.
    fn seasons(&self, row: &ForecastRow<'_>) -> BTreeSet<Season> {
        let market = row.archive.market().model_type;
        let of_leaf = |leaf: &WrittenLeaf| match &leaf.fact {
            LeafFact::Forecast { model_type, season, .. } if *model_type == market => Some(*season),
            _ => None,
        };
        self.leaves.leaves.iter().filter_map(of_leaf).collect()
    }

    fn find(&self, archive: &SeasonArchive, game: &ArchivedGame) -> Found {
        let (market, key) = (archive.market().model_type, &game.facts.key);
        let Some((index, leaf)) = self.leaves.forecast(market, key) else { return Found::Absent };
        self.open(index, leaf, &ForecastMade::of(archive, game)).map_or(Found::Differs, Found::Opened)
    }

    /// Opens a forecast with these numbers; `None` if its leaf commits to others.
    fn open(&self, index: u64, leaf: &WrittenLeaf, made: &ForecastMade) -> Option<LocatedOpening> {
        let LeafFact::Forecast { model_type, season, game, commitment } = &leaf.fact else { return None };
        let made = ForecastMade { season: *season, ..made.clone() };
        let payload = payload(&self.entry.catalog, (*model_type, game), &made).to_json();
        let salt = self.tree.nonce.salt(self.entry.catalog.generation.get(), *model_type, game);
        let opens = salt.commit(payload.as_bytes()) == *commitment;
        let opening = || Opening { entry: leaf.text().to_owned(), salt, payload };
        opens.then(|| LocatedOpening { index, opening: opening() })
    }

    /// Opens the forecast of a leaf that has the numbers of a row, or those of the entry's archive; returns them, too. `None` if the
    /// entry has no such leaf, or it commits to others.
    pub(super) async fn opening_of<V: AsRef<SeasonArchive> + Send + Sync>(
        &self,
        seasons: &dyn SeasonViews<V>,
        index: u64,
        known: Option<ForecastMade>,
    ) -> Result<Option<(LocatedOpening, ForecastMade)>, PortError> {
        let Some(leaf) = self.leaf(index) else { return Ok(None) };
        let LeafFact::Forecast { model_type, season, game, .. } = &leaf.fact else { return Ok(None) };
        let opened = known.and_then(|made| Some((self.open(index, leaf, &made)?, made)));
        let catalog = &self.entry.catalog;
        let results = catalog.results.get(&(*model_type, *season)).filter(|_| opened.is_none());
        let Some(results) = results else { return Ok(opened) };
        let market = Market::new(catalog.sport, *model_type);
        let then = seasons.view(&SeasonRef::from_artifact(market, *season, &results.artifact)).await?;
        let then = then.as_ref().as_ref();
        let made = then.get(game).map(|row| ForecastMade::of(then, row));
        Ok(made.and_then(|made| Some((self.open(index, leaf, &made)?, made))))
    }

    /// Opens the forecast of a leaf if it has these numbers.
    pub(super) fn opening_with(&self, index: u64, made: &ForecastMade) -> Option<LocatedOpening> {
        self.open(index, self.leaf(index)?, made)
    }

    /// Returns the leaf at a place of the tree, if the entry added it.
    fn leaf(&self, index: u64) -> Option<&WrittenLeaf> {
        let place = usize::try_from(index.checked_sub(self.leaves.first)?).ok()?;
        self.leaves.leaves.get(place)
    }

    /// Returns the error of a leaf that commits to something else than the entry's archive has.
    pub(super) fn contradiction(&self, row: &ForecastRow<'_>) -> PortError {
        let (generation, key) = (self.entry.catalog.generation, &row.game.facts.key);
        PortError::corrupt(
            PORT,
            format!("the leaf of {key} in entry {generation} does not commit to the entry's archive"),
        )
    }
}

// The entries that made forecasts, those read last in memory.

/// The entries of one store's records that made forecasts.
pub(super) struct Recordings {
    pub(super) reader: Arc<TreeReader>,
    /// The entries in memory, named by their hashes.
    pub(super) cache: Arc<dyn ResultCache<Recording>>,
}

impl Recordings {
    /// Finds the entry that made the forecast of a row, among the entries up to `newest`.
    pub(super) async fn of(
        &self,
        newest: &Catalog,
        row: &ForecastRow<'_>,
    ) -> Result<Result<Arc<Recording>, NoProof>, PortError> {
        let sport = newest.sport;
        let Some((run, published_at)) = row.release() else { return Ok(Err(NoProof::Imported)) };
        let head = (sport, newest.generation);
        if let Some(facts) = self.reader.facts_at(head, published_at).await?
            && let Some(recording) = self.cache.cached(&facts.digest).await
            && recording.is_of(row)
        {
            return Ok(Ok(recording));
        }
        let Some(entry) = self.reader.entry_of_release(head, (run, published_at)).await? else {
            return Ok(Err(NoProof::Imported));
        };
        let generation = entry.catalog.generation;
        Ok(self.read(entry).await?.ok_or(NoProof::BeforeTree(generation)))
    }

    /// Finds the entry that added a leaf; `None` if it has no tree.
    pub(super) async fn of_leaf(&self, head: &TreeHead, leaf: u64) -> Result<Option<Arc<Recording>>, PortError> {
        let facts = self.reader.facts_of(head, leaf).await?;
        if let Some(recording) = self.cache.cached(&facts.digest).await {
            return Ok(Some(recording));
        }
        match self.reader.log().entry(head.sport, facts.generation).await? {
            Some(entry) => self.read(entry).await,
            None => Ok(None),
        }
    }

    async fn read(&self, entry: LogEntry) -> Result<Option<Arc<Recording>>, PortError> {
        let Some(tree) = entry.catalog.tree.clone() else { return Ok(None) };
        let (digest, leaves) = (entry.digest, self.reader.leaves_of(entry.catalog.sport, &tree).await?);
        let recording = Arc::new(Recording::new(entry, tree, leaves));
        self.cache.result(digest, Box::pin(async { Ok(recording) })).await.map(Some)
    }
}
