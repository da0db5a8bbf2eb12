//! Tiles of hashes: their bytes, and the hashes of complete subtrees in them.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use crate::node::{Node, Nodes};
use crate::tile_path::{TileKind, TilePath, TilePlace};
use crate::{Tree, TreeHash};

/// A tile of hashes in memory, with the hash of each complete subtree that it has: twice the bytes of the tile.
#[derive(Debug)]
pub struct HashTile {
    level: u8,
    number: u64,
    /// The hashes of the tile, and of each height above them.
    heights: Vec<Vec<TreeHash>>,
}

/// Tiles of hashes in memory, as a source of hashes for proofs.
#[derive(Debug, Clone, Default)]
pub struct TileSet {
    tiles: BTreeMap<(u8, u64), Arc<HashTile>>,
}

/// The reason for which bytes are not the tile of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotATile {
    /// The path is that of an entry bundle.
    #[error("the path is that of an entry bundle, not of hashes")]
    Entries,
    /// The tile has another number of bytes than its width needs.
    #[error("a tile of {width} hashes has {} bytes, not {bytes}", .width * TreeHash::LENGTH)]
    Length {
        /// The number of hashes that the path states.
        width: usize,
        bytes: usize,
    },
}

impl HashTile {
    /// Reads a tile.
    ///
    /// # Errors
    ///
    /// [`NotATile`] if the bytes are not the hashes of the path's width.
    pub fn read(path: TilePath, bytes: &[u8]) -> Result<Self, NotATile> {
        let TileKind::Hashes { level } = path.kind() else { return Err(NotATile::Entries) };
        let (hashes, rest) = bytes.as_chunks::<{ TreeHash::LENGTH }>();
        let width = usize::from(path.width());
        if hashes.len() != width || !rest.is_empty() {
            return Err(NotATile::Length { width, bytes: bytes.len() });
        }
        let hashes: Vec<_> = hashes.iter().copied().map(TreeHash::new).collect();
        Ok(Self {
            level,
            number: path.number(),
            heights: iter::successors(Some(hashes), |below: &Vec<_>| pairs(below)).collect(),
        })
    }

    fn width(&self) -> usize {
        self.heights[0].len()
    }
}

impl TileSet {
    /// Creates an empty set.
    pub const fn new() -> Self {
        Self { tiles: BTreeMap::new() }
    }

    /// Reads a tile and adds it.
    ///
    /// # Errors
    ///
    /// The errors of [`HashTile::read`].
    pub fn insert(&mut self, path: TilePath, bytes: &[u8]) -> Result<(), NotATile> {
        self.add(Arc::new(HashTile::read(path, bytes)?));
        Ok(())
    }

    /// Adds a tile. Of two tiles of one number, the wider one is kept.
    pub fn add(&mut self, tile: Arc<HashTile>) {
        let kept = self.tiles.entry((tile.level, tile.number)).or_insert_with(|| Arc::clone(&tile));
        if kept.width() < tile.width() {
            *kept = tile;
        }
    }

    /// Returns `true` if the set has the hashes of a tile.
    pub fn has(&self, path: TilePath) -> bool {
        let TileKind::Hashes { level } = path.kind() else { return false };
        let tile = self.tiles.get(&(level, path.number()));
        tile.is_some_and(|tile| tile.width() >= usize::from(path.width()))
    }
}

impl Nodes for TileSet {
    fn node(&self, node: Node) -> Option<TreeHash> {
        let place = TilePlace::of(node)?;
        let tile = self.tiles.get(&(place.level, place.number))?;
        tile.heights.get(place.height)?.get(place.index).copied()
    }
}

/// Returns the hashes of the pairs of some hashes; `None` without a pair.
fn pairs(hashes: &[TreeHash]) -> Option<Vec<TreeHash>> {
    let (pairs, _) = hashes.as_chunks();
    let joined = pairs.iter().map(|[left, right]| TreeHash::of_children(*left, *right));
    (!pairs.is_empty()).then(|| joined.collect())
}

/// Returns the bytes of a tile of hashes; `None` if the tree does not have all of them, or the path is an entry bundle's.
pub fn tile_bytes(tree: &Tree, path: TilePath) -> Option<Vec<u8>> {
    let TileKind::Hashes { level } = path.kind() else { return None };
    let hashes = tree.hashes(u32::from(level) * 8, path.items()?)?;
    Some(hashes.iter().flat_map(|hash| *hash.as_bytes()).collect())
}
