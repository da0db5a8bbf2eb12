//! Proofs that a leaf is in a tree, by RFC 9162, 2.1.3.

use std::ops::Range;

use crate::TreeHash;
use crate::node::{MissingNode, Node, Nodes, complete_subtrees, range_hash};

/// The reason for which a path does not prove that a leaf is in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InclusionError {
    /// The tree has no leaf with this index.
    #[error("the tree of {size} leaves has no leaf {index}")]
    BeyondTree {
        /// The index of the leaf.
        index: u64,
        /// The size of the tree.
        size: u64,
    },
    /// The path has another length than the leaf's.
    #[error("the path has another length than that of the leaf")]
    PathLength,
    /// The path leads to another root.
    #[error("the path leads from the leaf to another root than the checkpoint's")]
    OtherRoot,
}

/// Returns the subtrees whose hashes make the path of a leaf; none if the tree has no such leaf.
pub fn inclusion_nodes(index: u64, size: u64) -> Vec<Node> {
    siblings(index, size).into_iter().flat_map(complete_subtrees).collect()
}

/// Returns the path of a leaf in the tree of the first `size` leaves, from the leaf's sibling to the root's child. The path
/// of a leaf beyond the tree is empty.
///
/// # Errors
///
/// [`MissingNode`] if the source lacks a hash.
pub fn inclusion_path(nodes: &impl Nodes, index: u64, size: u64) -> Result<Vec<TreeHash>, MissingNode> {
    siblings(index, size).into_iter().map(|range| range_hash(nodes, range)).collect()
}

/// Returns the leaves of each hash on the path of a leaf.
fn siblings(index: u64, size: u64) -> Vec<Range<u64>> {
    let (mut start, mut end) = (0, if index < size { size } else { 0 });
    let mut siblings = Vec::new();
    while end - start > 1 {
        let middle = start + left_size(end - start);
        if index < middle {
            siblings.push(middle..end);
            end = middle;
        } else {
            siblings.push(start..middle);
            start = middle;
        }
    }
    siblings.reverse();
    siblings
}

/// Returns the size of the left subtree of a tree of at least two leaves: the largest power of two below its size.
pub(crate) const fn left_size(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// Checks that a leaf with the hash `leaf` is at `index` in the tree of this size and root.
///
/// # Errors
///
/// [`InclusionError`] if the path does not prove it.
pub fn verify_inclusion(
    leaf: TreeHash,
    index: u64,
    size: u64,
    path: &[TreeHash],
    root: TreeHash,
) -> Result<(), InclusionError> {
    if index >= size {
        return Err(InclusionError::BeyondTree { index, size });
    }
    let (mut node, mut last) = (index, size - 1);
    let mut hash = leaf;
    for sibling in path {
        if last == 0 {
            return Err(InclusionError::PathLength);
        }
        if !node.is_multiple_of(2) || node == last {
            hash = TreeHash::of_children(*sibling, hash);
            // A last node without a sibling on its right is its own parent.
            let lone = if node.is_multiple_of(2) { node.trailing_zeros() } else { 0 };
            (node, last) = (node >> lone, last >> lone);
        } else {
            hash = TreeHash::of_children(hash, *sibling);
        }
        (node, last) = (node / 2, last / 2);
    }
    match (last, hash == root) {
        (0, true) => Ok(()),
        (0, false) => Err(InclusionError::OtherRoot),
        _ => Err(InclusionError::PathLength),
    }
}
