//! The tree of a league in one entry of its log.

use sports_content::ObjectHash;
use sports_transparency::{Leaf, Nonce, RightEdge};

/// The leaves that one entry adds to the tree, in the order of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryLeaves {
    /// The place of the first one in the tree.
    pub first: u64,
    /// The leaves.
    pub leaves: Vec<Leaf>,
}

/// The object with an entry's leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeavesEntry {
    /// The object.
    pub object: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The tree after an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The secret that the salts of the entry's commitments are derived from.
    pub nonce: Nonce,
    /// The size of the tree before the entry.
    pub first: u64,
    /// The right edge of the tree, with its size and root.
    pub edge: RightEdge,
    /// The object with the leaves from `first` on.
    pub leaves: LeavesEntry,
}

impl EntryLeaves {
    /// Returns the leaves behind the tree of the entry before, which is the empty one without an entry that has a tree.
    #[must_use]
    pub fn behind(before: Option<&TreeEntry>, leaves: Vec<Leaf>) -> Self {
        Self { first: before.map_or(0, |before| before.edge.size()), leaves }
    }

    /// Returns the right edge of the tree with these leaves.
    #[must_use]
    pub fn edge(&self, before: Option<&TreeEntry>) -> RightEdge {
        let mut edge = before.map(|before| before.edge.clone()).unwrap_or_default();
        for leaf in &self.leaves {
            edge.append(leaf.hash());
        }
        edge
    }
}
