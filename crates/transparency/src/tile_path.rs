use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, iter};

use sports_domain::FormError;

use crate::tree::{Node, Nodes, RightEdge};
use crate::{Tree, TreeHash};

/// The content of a tile: hashes of one level, or the leaves themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TileKind {
    /// Hashes of the complete subtrees of 256^level leaves.
    Hashes {
        /// The level; level 0 has the hashes of leaves.
        level: u8,
    },
    /// An entry bundle: the texts of leaves.
    Entries,
}

/// The name of a tile below `tile/`, by C2SP tlog-tiles: `0/x001/067`, `entries/000.p/12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TilePath {
    kind: TileKind,
    number: u64,
    width: u16,
}

const NOT_A_TILE_PATH: FormError =
    FormError::fixed("not a tile: expected a path such as 0/x001/067 or entries/000.p/12");

impl TileKind {
    /// The highest level of the format.
    pub const HIGHEST_LEVEL: u8 = 63;

    /// Returns the number of leaves below one item of the tile, as a power of two; `None` if no tree has so many.
    fn height(self) -> Option<u32> {
        match self {
            Self::Entries => Some(0),
            Self::Hashes { level } => Some(u32::from(level) * 8).filter(|height| *height < u64::BITS),
        }
    }

    /// Returns the number of items of this kind in a tree of `size` leaves.
    pub fn items(self, size: u64) -> u64 {
        self.height().map_or(0, |height| size >> height)
    }
}

impl TilePath {
    /// The number of items of a full tile.
    pub const FULL: u16 = 256;

    /// Names the full tile with this number.
    pub const fn full(kind: TileKind, number: u64) -> Self {
        Self { kind, number, width: Self::FULL }
    }

    /// Names the widest tile with this number in a tree of `size` leaves; `None` if it would be empty.
    pub fn widest(kind: TileKind, number: u64, size: u64) -> Option<Self> {
        let items = kind.items(size).checked_sub(number.checked_mul(u64::from(Self::FULL))?)?;
        let width = u16::try_from(items).unwrap_or(Self::FULL).min(Self::FULL);
        (width > 0).then_some(Self { kind, number, width })
    }

    /// Returns the content of the tile.
    pub const fn kind(self) -> TileKind {
        self.kind
    }

    /// Returns the index of the tile within its level.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of items, 1 to 256.
    pub const fn width(self) -> u16 {
        self.width
    }

    /// Returns `true` for a tile that can still grow.
    pub const fn is_partial(self) -> bool {
        self.width < Self::FULL
    }

    /// Returns the full tile that this tile becomes, or is.
    pub const fn filled(self) -> Self {
        Self { width: Self::FULL, ..self }
    }

    /// Returns the tile without its last item; `None` for a tile of one.
    pub fn narrower(self) -> Option<Self> {
        (self.width > 1).then(|| Self { width: self.width - 1, ..self })
    }

    /// Returns the indexes of the items within their level; `None` if no tree has so many.
    pub fn items(self) -> Option<Range<u64>> {
        let start = self.number.checked_mul(u64::from(Self::FULL))?;
        Some(start..start.checked_add(u64::from(self.width))?)
    }

    /// Returns `true` if a tree of `size` leaves has all items of the tile.
    pub fn is_within(self, size: u64) -> bool {
        self.items().is_some_and(|items| items.end <= self.kind.items(size))
    }

    /// Returns the tiles to store when a tree of `old` leaves has grown to `new`: tiles of hashes and bundles that became
    /// full and, of each level above the leaves, the partial tile that gained a hash.
    pub fn completed(old: u64, new: u64) -> Vec<Self> {
        let kinds = (0..8).map(|level| TileKind::Hashes { level }).chain([TileKind::Entries]);
        kinds.flat_map(|kind| Self::completed_of(kind, old, new)).collect()
    }

    fn completed_of(kind: TileKind, old: u64, new: u64) -> impl Iterator<Item = Self> {
        let (before, after) = (kind.items(old), kind.items(new));
        let full = u64::from(Self::FULL);
        let is_above_leaves = !matches!(kind, TileKind::Entries | TileKind::Hashes { level: 0 });
        let partial = (is_above_leaves && after > before && !after.is_multiple_of(full))
            .then(|| Self::widest(kind, after / full, new))
            .flatten();
        (before / full..after / full).map(move |number| Self::full(kind, number)).chain(partial)
    }

    /// Returns the tiles that have the hashes of the complete subtrees of `nodes`, in a tree of `size` leaves.
    pub fn having(nodes: &[crate::Node], size: u64) -> Vec<Self> {
        let mut paths: Vec<_> = nodes
            .iter()
            .filter_map(|node| {
                let place = TilePlace::of(*node)?;
                Self::widest(TileKind::Hashes { level: place.level }, place.number, size)
            })
            .collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Returns the tiles that have the right edge of a tree of `size` leaves.
    pub fn of_edge(size: u64) -> Vec<Self> {
        Self::having(&RightEdge::nodes(size), size)
    }
}

/// The place of a complete subtree in a tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TilePlace {
    pub(crate) level: u8,
    pub(crate) number: u64,
    /// The number of levels above the hashes of the tile.
    pub(crate) height: usize,
    /// The index among the subtrees of this height that the tile has.
    pub(crate) index: usize,
}

impl TilePlace {
    /// Finds a subtree; `None` if no tree has it.
    pub(crate) fn of(node: crate::Node) -> Option<Self> {
        let level = u8::try_from(node.height / 8).ok().filter(|_| node.height < u64::BITS)?;
        let height = node.height % 8;
        let of_tile = u64::from(TilePath::FULL) >> height;
        let index = usize::try_from(node.index % of_tile).ok()?;
        Some(Self { level, number: node.index / of_tile, height: usize::try_from(height).ok()?, index })
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TileKind::Hashes { level } => write!(f, "{level}")?,
            TileKind::Entries => f.write_str("entries")?,
        }
        let digits = self.number.to_string();
        let digits = format!("{digits:0>width$}", width = digits.len().next_multiple_of(3));
        let groups = digits.len() / 3;
        for group in 0..groups {
            let mark = if group + 1 < groups { "x" } else { "" };
            write!(f, "/{mark}{}", &digits[3 * group..3 * group + 3])?;
        }
        if self.is_partial() { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

impl FromStr for TilePath {
    type Err = FormError;

    /// Parses a path in the format's own form alone: no additional zeros, no width of a full tile.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, rest) = text.split_once('/').ok_or(NOT_A_TILE_PATH)?;
        let kind = match kind {
            "entries" => TileKind::Entries,
            level => TileKind::Hashes { level: level.parse().map_err(|_| NOT_A_TILE_PATH)? },
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => (number, width.parse().map_err(|_| NOT_A_TILE_PATH)?),
            None => (rest, Self::FULL),
        };
        let digits: String = number.split('/').map(|group| group.strip_prefix('x').unwrap_or(group)).collect();
        let path = Self { kind, number: digits.parse().map_err(|_| NOT_A_TILE_PATH)?, width };
        let is_level = !matches!(kind, TileKind::Hashes { level } if level > TileKind::HIGHEST_LEVEL);
        let is_width = (1..=Self::FULL).contains(&width);
        // The one form is the one that is written.
        if is_level && is_width && path.to_string() == text { Ok(path) } else { Err(NOT_A_TILE_PATH) }
    }
}

// Tiles of hashes: their bytes, and the hashes of complete subtrees in them.

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

impl HashTile {
    /// Reads a tile.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the bytes are not the hashes of the path's width.
    pub fn read(path: TilePath, bytes: &[u8]) -> Result<Self, FormError> {
        let TileKind::Hashes { level } = path.kind() else {
            return Err(FormError::fixed("the path is that of an entry bundle, not of hashes"));
        };
        let (hashes, rest) = bytes.as_chunks::<{ TreeHash::LENGTH }>();
        let width = usize::from(path.width());
        if hashes.len() != width || !rest.is_empty() {
            let (expected, found) = (width * TreeHash::LENGTH, bytes.len());
            return Err(FormError::new(format!("a tile of {width} hashes has {expected} bytes, not {found}")));
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
    pub fn insert(&mut self, path: TilePath, bytes: &[u8]) -> Result<(), FormError> {
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
