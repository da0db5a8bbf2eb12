//! The tree of a league in one entry of its log.

use sports_content::ObjectHash;
use sports_domain::{GameKey, ModelName, ModelType};
use sports_transparency::{Leaf, Nonce, RightEdge, WrittenLeaf};

/// The leaves that one entry adds to the tree, in the order of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntryLeaves {
    /// The place of the first one in the tree.
    pub first: u64,
    pub leaves: Vec<WrittenLeaf>,
}

/// The object with an entry's leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeavesEntry {
    #[cfg_attr(feature = "serde", serde(rename = "sha256"))]
    pub object: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The tree after an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TreeEntry {
    /// The secret that the salts of the entry's commitments are derived from.
    pub nonce: Nonce,
    /// The size of the tree before the entry.
    pub first: u64,
    /// The right edge of the tree, with its size and root.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serialized::edge"))]
    pub edge: RightEdge,
    /// The object with the leaves from `first` on.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialized::in_json"))]
    pub leaves: LeavesEntry,
}

impl EntryLeaves {
    /// Returns the leaves behind the tree of the entry before, which is the empty one without an entry that has a tree.
    pub fn behind(before: Option<&TreeEntry>, leaves: Vec<WrittenLeaf>) -> Self {
        Self { first: before.map_or(0, |before| before.edge.size()), leaves }
    }

    /// Returns the leaves with their places in the tree.
    pub fn placed(&self) -> impl Iterator<Item = (u64, &WrittenLeaf)> {
        (self.first..).zip(&self.leaves)
    }

    /// Returns a forecast with its place; `None` if the entry did not make one.
    pub fn forecast(&self, model_type: ModelType, game: &GameKey) -> Option<(u64, &WrittenLeaf)> {
        let is_it = |leaf: &Leaf| matches!(leaf, Leaf::Forecast { model_type: of, game: forecast, .. } if (*of, forecast) == (model_type, game));
        self.placed().find(|(_, leaf)| is_it(leaf))
    }

    /// Returns the place of a new version of a model; `None` if the entry did not declare one.
    pub fn place_of_model(&self, model: ModelName) -> Option<u64> {
        let is_it = |leaf: &Leaf| matches!(leaf, Leaf::Model { model: declared, .. } if *declared == model);
        self.placed().find(|(_, leaf)| is_it(leaf)).map(|(place, _)| place)
    }

    /// Returns the right edge of the tree with these leaves.
    pub fn edge(&self, before: Option<&TreeEntry>) -> RightEdge {
        let mut edge = before.map(|before| before.edge.clone()).unwrap_or_default();
        for leaf in &self.leaves {
            edge.append(leaf.hash());
        }
        edge
    }
}
