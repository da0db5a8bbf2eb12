use std::ops::Deref;

use crate::{Leaf, NotALeaf, TreeHash};

/// A leaf with its text, which is hashed, stored and served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLeaf {
    leaf: Leaf,
    text: String,
}

impl WrittenLeaf {
    /// Parses a leaf, in its one form alone.
    ///
    /// # Errors
    ///
    /// The errors of [`Leaf::parse`].
    pub fn parse(text: String) -> Result<Self, NotALeaf> {
        Ok(Self { leaf: Leaf::parse(&text)?, text })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash of the leaf in the tree.
    pub fn hash(&self) -> TreeHash {
        TreeHash::of_leaf(self.text.as_bytes())
    }
}

impl From<Leaf> for WrittenLeaf {
    fn from(leaf: Leaf) -> Self {
        Self { text: leaf.to_text(), leaf }
    }
}

impl Deref for WrittenLeaf {
    type Target = Leaf;

    fn deref(&self) -> &Leaf {
        &self.leaf
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WrittenLeaf {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for WrittenLeaf {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}
