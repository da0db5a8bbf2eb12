use std::ops::Range;

use crate::TreeHash;
use crate::node::{Node, Nodes};

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
