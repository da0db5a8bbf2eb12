//! Tiles of hashes: their bytes, and the hashes of complete subtrees in them.

use std::collections::BTreeMap;

use crate::node::{Node, Nodes, joined};
use crate::tile_path::{TileKind, TilePath, TilePlace};
use crate::{Tree, TreeHash};

/// Tiles of hashes in memory, as a source of hashes for proofs.
#[derive(Debug, Clone, Default)]
pub struct TileSet {
    tiles: BTreeMap<(u8, u64), Vec<TreeHash>>,
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
        /// The number of bytes.
        bytes: usize,
    },
}

impl TileSet {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { tiles: BTreeMap::new() }
    }

    /// Adds a tile. Of two tiles of one number, the wider one is kept.
    ///
    /// # Errors
    ///
    /// [`NotATile`] if the bytes are not the hashes of the path's width.
    pub fn insert(&mut self, path: TilePath, bytes: &[u8]) -> Result<(), NotATile> {
        let TileKind::Hashes { level } = path.kind() else { return Err(NotATile::Entries) };
        let (hashes, rest) = bytes.as_chunks::<{ TreeHash::LENGTH }>();
        let width = usize::from(path.width());
        if hashes.len() != width || !rest.is_empty() {
            return Err(NotATile::Length { width, bytes: bytes.len() });
        }
        let tile = self.tiles.entry((level, path.number())).or_default();
        if tile.len() < width {
            *tile = hashes.iter().copied().map(TreeHash::new).collect();
        }
        Ok(())
    }

    /// Returns `true` if the set has the hashes of a tile.
    #[must_use]
    pub fn has(&self, path: TilePath) -> bool {
        let TileKind::Hashes { level } = path.kind() else { return false };
        let tile = self.tiles.get(&(level, path.number()));
        tile.is_some_and(|tile| tile.len() >= usize::from(path.width()))
    }
}

impl Nodes for TileSet {
    fn node(&self, node: Node) -> Option<TreeHash> {
        let place = TilePlace::of(node)?;
        let tile = self.tiles.get(&(place.level, place.number))?;
        let hashes = tile.get(place.first..place.first + place.count)?;
        Some(complete_root(hashes))
    }
}

/// Returns the root of a complete subtree whose leaves these are.
pub(crate) fn complete_root(hashes: &[TreeHash]) -> TreeHash {
    if let [hash] = hashes {
        return *hash;
    }
    let (left, right) = hashes.split_at(hashes.len() / 2);
    joined(&[complete_root(left), complete_root(right)])
}

/// Returns the bytes of a tile of hashes; `None` if the tree does not have all of them, or the path is an entry bundle's.
#[must_use]
pub fn tile_bytes(tree: &Tree, path: TilePath) -> Option<Vec<u8>> {
    let TileKind::Hashes { level } = path.kind() else { return None };
    let hashes = tree.hashes(u32::from(level) * 8, path.items()?)?;
    Some(hashes.iter().flat_map(|hash| *hash.as_bytes()).collect())
}
