use std::ops::Range;

use sports_domain::FormError;

use crate::TreeHash;

/// A tree in memory: the hashes of all of its complete subtrees.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The hashes of each height, from the leaves up.
    heights: Vec<Vec<TreeHash>>,
}

impl Tree {
    /// Creates the tree without leaves.
    pub const fn new() -> Self {
        Self { heights: Vec::new() }
    }

    /// Adds a leaf with this hash.
    pub fn append(&mut self, leaf: TreeHash) {
        let mut hash = leaf;
        for height in 0.. {
            if self.heights.len() == height {
                self.heights.push(Vec::new());
            }
            let hashes = &mut self.heights[height];
            hashes.push(hash);
            // The second of two subtrees completes the one above.
            match hashes[..] {
                [.., left, right] if hashes.len().is_multiple_of(2) => hash = TreeHash::of_children(left, right),
                _ => break,
            }
        }
    }

    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.heights.first().map_or(0, |leaves| leaves.len() as u64)
    }

    /// Returns the hashes of some complete subtrees of one height; `None` if the tree does not have all of them.
    pub fn hashes(&self, height: u32, range: Range<u64>) -> Option<&[TreeHash]> {
        let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        self.heights.get(usize::try_from(height).ok()?)?.get(range)
    }
}

impl Nodes for Tree {
    fn node(&self, node: Node) -> Option<TreeHash> {
        let hashes = self.heights.get(usize::try_from(node.height).ok()?)?;
        hashes.get(usize::try_from(node.index).ok()?).copied()
    }
}

impl FromIterator<TreeHash> for Tree {
    fn from_iter<T: IntoIterator<Item = TreeHash>>(leaves: T) -> Self {
        let mut tree = Self::new();
        leaves.into_iter().for_each(|leaf| tree.append(leaf));
        tree
    }
}

/// The right edge of a tree: the hashes of its complete subtrees, largest first, one for each bit of its size.
///
/// It is all that is needed to append leaves, and gives the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RightEdge {
    size: u64,
    hashes: Vec<TreeHash>,
}

impl RightEdge {
    /// Creates the edge of a tree of this size.
    ///
    /// # Errors
    ///
    /// [`FormError`] unless there is one hash for each bit of the size.
    pub fn new(size: u64, hashes: Vec<TreeHash>) -> Result<Self, FormError> {
        if u32::try_from(hashes.len()) == Ok(size.count_ones()) {
            Ok(Self { size, hashes })
        } else {
            let (complete, hashes) = (size.count_ones(), hashes.len());
            Err(FormError::new(format!("a tree of {size} leaves has {complete} complete subtrees, not {hashes}")))
        }
    }

    /// Reads the edge of the tree of the first `size` leaves.
    ///
    /// # Errors
    ///
    /// [`MissingNode`] if the source lacks one of the hashes.
    pub fn of(nodes: &impl Nodes, size: u64) -> Result<Self, MissingNode> {
        let hashes = Self::nodes(size).into_iter().map(|node| nodes.node(node).ok_or(MissingNode(node)));
        Ok(Self { size, hashes: hashes.collect::<Result<_, _>>()? })
    }

    /// Returns the complete subtrees of a tree of this size, largest first.
    pub fn nodes(size: u64) -> Vec<Node> {
        complete_subtrees(0..size)
    }

    /// Adds a leaf with this hash.
    pub fn append(&mut self, leaf: TreeHash) {
        let mut hash = leaf;
        // Each set bit at the end of the size is a subtree as large as the new one on its left.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.hashes.pop() {
                hash = TreeHash::of_children(left, hash);
            }
        }
        self.hashes.push(hash);
        self.size += 1;
    }

    /// Returns the number of leaves.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the hashes of the complete subtrees, largest first.
    pub fn hashes(&self) -> &[TreeHash] {
        &self.hashes
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> TreeHash {
        joined(&self.hashes)
    }
}

/// The edge of the tree of leaves with these hashes.
impl FromIterator<TreeHash> for RightEdge {
    fn from_iter<I: IntoIterator<Item = TreeHash>>(leaves: I) -> Self {
        let mut edge = Self::default();
        leaves.into_iter().for_each(|leaf| edge.append(leaf));
        edge
    }
}

/// A tree that has grown, as its right edge before and the hashes of the leaves behind: the source of a consistency proof from the
/// size before.
#[derive(Debug, Clone)]
pub struct Growth {
    before: RightEdge,
    leaves: Vec<TreeHash>,
}

impl Growth {
    /// Adds the leaves with these hashes to a tree.
    pub const fn new(before: RightEdge, leaves: Vec<TreeHash>) -> Self {
        Self { before, leaves }
    }
}

impl Nodes for Growth {
    fn node(&self, node: Node) -> Option<TreeHash> {
        let start = node.index.checked_shl(node.height)?;
        let Some(behind) = start.checked_sub(self.before.size()) else {
            let place = RightEdge::nodes(self.before.size()).iter().position(|known| *known == node)?;
            return self.before.hashes().get(place).copied();
        };
        let first = usize::try_from(behind).ok()?;
        let end = first.checked_add(1_usize.checked_shl(node.height)?)?;
        let leaves = self.leaves.get(first..end)?;
        Some(leaves.iter().copied().collect::<RightEdge>().root())
    }
}

// Complete subtrees, of which every hash of the tree is made.

/// A complete subtree of the tree, with 2^`height` leaves. It never changes when the tree grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The number of levels above the leaves; 0 is a leaf.
    pub height: u32,
    /// The index among the subtrees of this height, from the left.
    pub index: u64,
}

/// A source of the hashes of complete subtrees: tiles, or all leaves.
pub trait Nodes {
    /// Returns the hash of a complete subtree; `None` if the source does not have it.
    fn node(&self, node: Node) -> Option<TreeHash>;
}

/// The error for a hash that a source of hashes does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hash of subtree {} of height {} is missing", .0.index, .0.height)]
pub struct MissingNode(pub Node);

/// Splits a range of leaves into complete subtrees, left to right, and so largest first: `start` is a multiple of a power
/// of two that is not below the range's length.
pub(crate) fn complete_subtrees(range: Range<u64>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let height = (range.end - start).ilog2().min(start.trailing_zeros());
        nodes.push(Node { height, index: start >> height });
        start += 1 << height;
    }
    nodes
}

/// Combines the hashes of complete subtrees, largest first, to the hash of all of their leaves.
pub(crate) fn joined(hashes: &[TreeHash]) -> TreeHash {
    let joined = hashes.iter().copied().rev().reduce(|right, left| TreeHash::of_children(left, right));
    joined.unwrap_or_else(TreeHash::of_empty_tree)
}

/// Returns the hash of a range of leaves.
pub(crate) fn range_hash(nodes: &impl Nodes, range: Range<u64>) -> Result<TreeHash, MissingNode> {
    let subtrees = complete_subtrees(range).into_iter();
    let hashes: Result<Vec<_>, _> = subtrees.map(|node| nodes.node(node).ok_or(MissingNode(node))).collect();
    hashes.map(|hashes| joined(&hashes))
}
