//! Reading a league's tree: its leaves, its tiles, and the hashes of which proofs are made.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::{EntryFacts, Ledgers, NoPlace, Sought, unreadable_entry};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::record::{RecordFile, RecordFiles};
use sports_ports::results::{ResultCache, Uncached};
use sports_ports::seasons::Weighed;
use sports_publication::{Catalog, EntryLeaves, Generation, TreeEntry};
use sports_transparency::{
    FormError, HashTile, Node, RightEdge, TileKind, TilePath, TileSet, TreeHash, WrittenLeaf, bundle_bytes,
};

use super::Slates;

const PORT: &str = "the tree";

/// The tree of a league as of one of its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeHead {
    pub sport: Sport,
    pub generation: Generation,
    /// The number of leaves.
    pub size: u64,
    pub root: TreeHash,
    /// True if the entry is the first one with a tree.
    pub is_first: bool,
}

/// A reader of the trees of one store. Tiles that are not stored are computed from the leaves of entries.
pub struct TreeReader {
    log: Arc<dyn PublicationLog>,
    slates: Slates,
    files: Arc<dyn RecordFiles>,
    ledgers: Arc<Ledgers>,
    cache: Arc<dyn ResultCache<CachedTile>>,
}

/// A tile in memory: one that was computed, such as one that is not full, or one of which proofs were made.
pub struct CachedTile {
    bytes: Bytes,
    hashes: OnceLock<Arc<HashTile>>,
}

impl Weighed for CachedTile {
    fn weight(&self) -> usize {
        // The hashes of subtrees may come later.
        size_of::<Self>() + 3 * self.bytes.len()
    }
}

impl CachedTile {
    fn hashes(&self, path: TilePath) -> Result<Arc<HashTile>, FormError> {
        if let Some(known) = self.hashes.get() {
            return Ok(Arc::clone(known));
        }
        let read = Arc::new(HashTile::read(path, &self.bytes)?);
        Ok(Arc::clone(self.hashes.get_or_init(|| read)))
    }
}

impl TreeHead {
    /// Returns the tree of an entry; `None` for an entry from before the record had a tree.
    pub fn of(entry: &Catalog) -> Option<Self> {
        let tree = entry.tree.as_ref()?;
        let (size, root) = (tree.edge.size(), tree.edge.root());
        Some(Self { sport: entry.sport, generation: entry.generation, size, root, is_first: tree.first == 0 })
    }
}

impl TreeReader {
    /// Creates a reader of the trees whose entries are in `log`, with the leaves in `slates` and the tiles in `files`.
    pub fn new(log: Arc<dyn PublicationLog>, slates: Slates, files: Arc<dyn RecordFiles>) -> Self {
        let ledgers = Arc::new(Ledgers::new(&log));
        Self { log, slates, files, ledgers, cache: Arc::new(Uncached) }
    }

    /// The same trees, in the entries of these ledgers of the log.
    pub fn following(mut self, ledgers: Arc<Ledgers>) -> Self {
        self.ledgers = ledgers;
        self
    }

    /// Keeps the tiles in memory that were computed last, and those of which proofs were made last.
    pub fn with_tiles_in(mut self, cache: Arc<dyn ResultCache<CachedTile>>) -> Self {
        self.cache = cache;
        self
    }

    pub(crate) fn log(&self) -> &dyn PublicationLog {
        &*self.log
    }

    pub(crate) const fn ledgers(&self) -> &Arc<Ledgers> {
        &self.ledgers
    }

    /// Returns the files of the record.
    pub fn files(&self) -> &dyn RecordFiles {
        &*self.files
    }

    /// Returns the tree of a league's newest entry; `None` if that has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be read.
    pub async fn newest(&self, sport: Sport) -> Result<Option<TreeHead>, PortError> {
        let newest = self.ledgers.of(sport).read_newest().await?;
        Ok(newest.and_then(|newest| TreeHead::of(&newest.entry.catalog)))
    }

    /// Returns the facts of the entry that added a leaf.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if the entry is damaged, or the tree has no
    /// such leaf.
    pub async fn facts_of(&self, head: &TreeHead, leaf: u64) -> Result<EntryFacts, PortError> {
        let missing = || no_entry(head.sport, leaf);
        if leaf >= head.size {
            return Err(missing());
        }
        let ledger = self.ledgers.of(head.sport);
        ledger.follow_to(head.generation).await?;
        let found = ledger.find(Sought::Leaf(leaf)).await?;
        found.map(|place| place.facts).map_err(|_| missing())
    }

    /// Returns the facts of the entry that added a leaf, and its leaves.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if the entry or its leaves are damaged,
    /// or the tree has no such leaf.
    pub async fn entry_of(&self, head: &TreeHead, leaf: u64) -> Result<(EntryFacts, EntryLeaves), PortError> {
        let missing = || no_entry(head.sport, leaf);
        let facts = self.facts_of(head, leaf).await?;
        let tree = facts.tree.as_ref().ok_or_else(missing)?;
        let leaves = self.slates.leaves(head.sport, &tree.leaves).await?;
        let places = leaves.first..leaves.first + leaves.leaves.len() as u64;
        if places.contains(&leaf) { Ok((facts, leaves)) } else { Err(missing()) }
    }

    /// Returns the facts of the newest of the entries up to `newest` that were published at an instant or before; `None` if all are
    /// later.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if a damaged number decides the answer.
    pub(crate) async fn facts_at(
        &self,
        (sport, newest): (Sport, Generation),
        instant: DateTime<Utc>,
    ) -> Result<Option<EntryFacts>, PortError> {
        let ledger = self.ledgers.of(sport);
        ledger.follow_to(newest).await?;
        match ledger.find(Sought::At(instant)).await? {
            Ok(place) => Ok(Some(place.facts).filter(|facts| facts.generation <= newest)),
            Err(NoPlace::Unreadable(number)) => Err(unreadable_entry(sport, number)),
            Err(_) => Ok(None),
        }
    }

    /// Returns the one of the entries up to `newest` that a release made at an instant; `None` if no entry did.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if a damaged number decides the answer.
    pub(crate) async fn entry_of_release(
        &self,
        (sport, newest): (Sport, Generation),
        (release_id, instant): (&str, DateTime<Utc>),
    ) -> Result<Option<LogEntry>, PortError> {
        let Some(facts) = self.facts_at((sport, newest), instant).await? else { return Ok(None) };
        let entry = self.log.entry(sport, facts.generation).await?;
        Ok(entry.filter(|entry| entry.catalog.release_id.as_str() == release_id))
    }

    /// Returns the leaves that an entry added.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub(crate) async fn leaves_of(&self, sport: Sport, tree: &TreeEntry) -> Result<EntryLeaves, PortError> {
        self.slates.leaves(sport, &tree.leaves).await
    }

    /// Returns some of the leaves.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::entry_of`].
    pub async fn leaves(&self, head: &TreeHead, range: Range<u64>) -> Result<Vec<WrittenLeaf>, PortError> {
        let mut leaves = Vec::new();
        let mut next = range.start;
        while next < range.end {
            let (_, found) = self.entry_of(head, next).await?;
            let added = (found.first..).zip(found.leaves).filter(|(place, _)| (next..range.end).contains(place));
            let before = leaves.len();
            leaves.extend(added.map(|(_, leaf)| leaf));
            next += (leaves.len() - before) as u64;
        }
        Ok(leaves)
    }

    /// Returns the bytes of a tile; `None` if the tree does not have all of it.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::entry_of`].
    pub async fn tile(&self, head: &TreeHead, path: TilePath) -> Result<Option<Bytes>, PortError> {
        if !path.is_within(head.size) {
            return Ok(None);
        }
        let name = tile_name(head, path);
        if let Some(kept) = self.cache.cached(&name).await {
            return Ok(Some(kept.bytes.clone()));
        }
        if let Some(bytes) = self.stored_tile(head, path).await? {
            return Ok(Some(bytes));
        }
        let computed = self.computed_tile(head, path).await?;
        Ok(Some(self.keep_tile(name, computed).await?.bytes.clone()))
    }

    async fn keep_tile(&self, name: ObjectHash, bytes: Bytes) -> Result<Arc<CachedTile>, PortError> {
        let tile = Arc::new(CachedTile { bytes, hashes: OnceLock::new() });
        self.cache.result(name, Box::pin(async { Ok(tile) })).await
    }

    /// Reads a stored tile: the one of this width, or the beginning of the full one. Tiles of another length, and those that this
    /// tree does not have, are passed over.
    async fn stored_tile(&self, head: &TreeHead, path: TilePath) -> Result<Option<Bytes>, PortError> {
        let sport = head.sport;
        let TileKind::Hashes { .. } = path.kind() else {
            // The length of a bundle's beginning is not known without its leaves.
            return if path.is_partial() { Ok(None) } else { self.stored(sport, path).await };
        };
        let length = |path: TilePath| usize::from(path.width()) * TreeHash::LENGTH;
        for candidate in [path, path.filled()].into_iter().filter(|candidate| candidate.is_within(head.size)) {
            if let Some(bytes) = self.stored(sport, candidate).await?.filter(|bytes| bytes.len() == length(candidate)) {
                return Ok(Some(bytes.slice(..length(path))));
            }
        }
        Ok(None)
    }

    /// Reads a stored tile; `None` if it is not there or cannot be a tile.
    pub(crate) async fn stored(&self, sport: Sport, path: TilePath) -> Result<Option<Bytes>, PortError> {
        match self.files.record_file(&RecordFile::Tile(sport, path)).await {
            // A damaged tile can be computed.
            Err(PortError::Corrupt { .. }) => Ok(None),
            read => read,
        }
    }

    /// Computes a tile from the leaves of entries.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::entry_of`]; [`PortError::Corrupt`] if the tree does not have all of the tile.
    pub async fn computed_tile(&self, head: &TreeHead, path: TilePath) -> Result<Bytes, PortError> {
        let items = path.items().filter(|_| path.is_within(head.size)).ok_or_else(|| beyond(head, path))?;
        match path.kind() {
            TileKind::Hashes { level: above @ 1.. } => self.roots(head, above - 1, items).await.map(Bytes::from),
            kind => tile_of(kind, &self.leaves(head, items).await?),
        }
    }

    /// Returns the roots of full tiles of a level.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::computed_tile`].
    pub(crate) async fn roots(&self, head: &TreeHead, level: u8, tiles: Range<u64>) -> Result<Vec<u8>, PortError> {
        let mut roots = Vec::new();
        for number in tiles {
            let path = TilePath::full(TileKind::Hashes { level }, number);
            let tile = Box::pin(self.tile(head, path)).await?.ok_or_else(|| beyond(head, path))?;
            let (hashes, _) = tile.as_chunks();
            let edge: RightEdge = hashes.iter().copied().map(TreeHash::new).collect();
            roots.extend_from_slice(edge.root().as_bytes());
        }
        Ok(roots)
    }

    /// Reads the tiles that have the hashes of some complete subtrees.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::entry_of`].
    pub async fn nodes(&self, head: &TreeHead, nodes: &[Node]) -> Result<TileSet, PortError> {
        let mut tiles = TileSet::new();
        for path in TilePath::having(nodes, head.size) {
            let name = tile_name(head, path);
            let tile = if let Some(kept) = self.cache.cached(&name).await {
                kept
            } else {
                let bytes = self.tile(head, path).await?.ok_or_else(|| beyond(head, path))?;
                self.keep_tile(name, bytes).await?
            };
            tiles.add(tile.hashes(path).map_err(|reason| PortError::corrupt(PORT, reason))?);
        }
        Ok(tiles)
    }
}

/// Names a tile in memory. The root identifies the entry and all entries before it.
fn tile_name(head: &TreeHead, path: TilePath) -> ObjectHash {
    ObjectHash::from_bytes(format!("{} {} {path}", head.sport, head.root).as_bytes())
}

fn no_entry(sport: Sport, leaf: u64) -> PortError {
    PortError::corrupt(PORT, format!("leaf {leaf} of {sport} is in no entry that can be read"))
}

fn beyond(head: &TreeHead, path: TilePath) -> PortError {
    PortError::corrupt(PORT, format!("tile {path} is beyond the tree of {}", head.sport))
}

/// Returns the hashes or the texts of leaves as a tile or a bundle.
pub(crate) fn tile_of(kind: TileKind, leaves: &[WrittenLeaf]) -> Result<Bytes, PortError> {
    if kind == TileKind::Entries {
        let bytes = bundle_bytes(leaves.iter().map(WrittenLeaf::text));
        return bytes.map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason));
    }
    Ok(leaves.iter().flat_map(|leaf| *leaf.hash().as_bytes()).collect())
}
