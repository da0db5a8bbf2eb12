//! Proofs that a leaf is in a tree, by RFC 9162, 2.1.3.

use std::ops::Range;

use crate::TreeHash;
use crate::tree::{MissingNode, Node, Nodes, complete_subtrees, range_hash};

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

// Proofs that one tree extends another, by RFC 9162, 2.1.4.

/// The reason for which a path does not prove that one tree extends another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConsistencyError {
    /// The newer tree is the smaller one.
    #[error("a tree of {new} leaves does not extend one of {old}")]
    Smaller {
        /// The size of the older tree.
        old: u64,
        /// The size of the newer tree.
        new: u64,
    },
    /// The path has another length than that of the two sizes.
    #[error("the path has another length than that of the two sizes")]
    PathLength,
    /// The path does not lead to the root of the older tree.
    #[error("the path leads to another root than that of the older tree")]
    OtherOldRoot,
    /// The path does not lead to the root of the newer tree.
    #[error("the path leads to another root than that of the newer tree")]
    OtherNewRoot,
}

/// Returns the subtrees whose hashes make the path from a tree of `old` leaves to one of `new`.
pub fn consistency_nodes(old: u64, new: u64) -> Vec<Node> {
    parts(old, new).into_iter().flat_map(complete_subtrees).collect()
}

/// Returns the path from a tree of `old` leaves to one of `new`. It is empty if the sizes are equal, the older tree is empty
/// or the newer tree is the smaller one.
///
/// # Errors
///
/// [`MissingNode`] if the source lacks a hash.
pub fn consistency_path(nodes: &impl Nodes, old: u64, new: u64) -> Result<Vec<TreeHash>, MissingNode> {
    parts(old, new).into_iter().map(|range| range_hash(nodes, range)).collect()
}

/// Returns the leaves of each hash on the path.
fn parts(old: u64, new: u64) -> Vec<Range<u64>> {
    let mut parts = Vec::new();
    if old == 0 || old >= new {
        return parts;
    }
    let (mut start, mut end) = (0, new);
    while old != end {
        let middle = start + left_size(end - start);
        if old <= middle {
            parts.push(middle..end);
            end = middle;
        } else {
            parts.push(start..middle);
            start = middle;
        }
    }
    // The root of the older tree is known to the reader, so a complete one is no part of the path.
    if start > 0 {
        parts.push(start..end);
    }
    parts.reverse();
    parts
}

/// Checks that the tree of `new` leaves and `new_root` begins with the leaves of the tree of `old` leaves and `old_root`.
///
/// # Errors
///
/// [`ConsistencyError`] if the path does not prove it.
pub fn verify_consistency(
    (old, old_root): (u64, TreeHash),
    (new, new_root): (u64, TreeHash),
    path: &[TreeHash],
) -> Result<(), ConsistencyError> {
    if old > new {
        return Err(ConsistencyError::Smaller { old, new });
    }
    if old == new || old == 0 {
        return verify_trivial((old, old_root), (new, new_root), path);
    }
    // A complete older tree is where both paths begin.
    let (first, rest) = if old.is_power_of_two() {
        (old_root, path)
    } else {
        path.split_first().map(|(first, rest)| (*first, rest)).ok_or(ConsistencyError::PathLength)?
    };
    let shared = (old - 1).trailing_ones();
    let hashes = climb(first, rest, (old - 1) >> shared, (new - 1) >> shared).ok_or(ConsistencyError::PathLength)?;
    same_roots((hashes.0, old_root), (hashes.1, new_root))
}

/// Returns the roots of the older and the newer tree to which a path leads from their common `first` hash; `None` if the
/// path has another length.
fn climb(first: TreeHash, path: &[TreeHash], mut node: u64, mut last: u64) -> Option<(TreeHash, TreeHash)> {
    let (mut old_hash, mut new_hash) = (first, first);
    for sibling in path {
        if last == 0 {
            return None;
        }
        if !node.is_multiple_of(2) || node == last {
            old_hash = TreeHash::of_children(*sibling, old_hash);
            new_hash = TreeHash::of_children(*sibling, new_hash);
            // A last node without a sibling on its right is its own parent.
            let lone = if node.is_multiple_of(2) { node.trailing_zeros() } else { 0 };
            (node, last) = (node >> lone, last >> lone);
        } else {
            new_hash = TreeHash::of_children(new_hash, *sibling);
        }
        (node, last) = (node / 2, last / 2);
    }
    (last == 0).then_some((old_hash, new_hash))
}

/// Checks two trees of one size, or a tree that follows the empty one.
fn verify_trivial(
    (old, old_root): (u64, TreeHash),
    (new, new_root): (u64, TreeHash),
    path: &[TreeHash],
) -> Result<(), ConsistencyError> {
    if !path.is_empty() {
        return Err(ConsistencyError::PathLength);
    }
    let expected_old = if old == 0 { TreeHash::of_empty_tree() } else { old_root };
    let expected_new = if old == new { old_root } else { new_root };
    same_roots((expected_old, old_root), (expected_new, new_root))
}

fn same_roots(
    (old_hash, old_root): (TreeHash, TreeHash),
    (new_hash, new_root): (TreeHash, TreeHash),
) -> Result<(), ConsistencyError> {
    if old_hash != old_root {
        Err(ConsistencyError::OtherOldRoot)
    } else if new_hash == new_root {
        Ok(())
    } else {
        Err(ConsistencyError::OtherNewRoot)
    }
}
