//! Complete subtrees, of which every hash of the tree is made.

use std::ops::Range;

use crate::TreeHash;

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
