use crate::TreeHash;
use crate::node::{MissingNode, Node, Nodes, complete_subtrees, joined};

/// The right edge of a tree: the hashes of its complete subtrees, largest first, one for each bit of its size.
///
/// It is all that is needed to append leaves, and gives the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RightEdge {
    size: u64,
    hashes: Vec<TreeHash>,
}

/// The error for a number of hashes that is not the number of complete subtrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a tree of {size} leaves has {} complete subtrees, not {hashes}", .size.count_ones())]
pub struct NotAnEdge {
    /// The size of the tree.
    pub size: u64,
    pub hashes: usize,
}

impl RightEdge {
    /// Creates the edge of a tree of this size.
    ///
    /// # Errors
    ///
    /// [`NotAnEdge`] unless there is one hash for each bit of the size.
    pub fn new(size: u64, hashes: Vec<TreeHash>) -> Result<Self, NotAnEdge> {
        if u32::try_from(hashes.len()) == Ok(size.count_ones()) {
            Ok(Self { size, hashes })
        } else {
            Err(NotAnEdge { size, hashes: hashes.len() })
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
