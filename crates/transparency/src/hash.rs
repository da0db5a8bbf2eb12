use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use sports_domain::FormError;

/// The hash of a node of the tree, by RFC 6962: SHA-256 with one prefix for leaves and another for inner nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeHash([u8; Self::LENGTH]);

const NOT_A_TREE_HASH: FormError = FormError::fixed("not a hash: expected 32 bytes in base64");

impl TreeHash {
    /// The length of a hash, in bytes.
    pub const LENGTH: usize = 32;

    const LEAF_PREFIX: [u8; 1] = [0];
    const NODE_PREFIX: [u8; 1] = [1];

    /// Creates the hash with these bytes.
    pub const fn new(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// Returns the hash of the tree without leaves.
    pub fn of_empty_tree() -> Self {
        Self(Sha256::digest([]).into())
    }

    pub fn of_leaf(leaf: &[u8]) -> Self {
        Self(Sha256::new().chain_update(Self::LEAF_PREFIX).chain_update(leaf).finalize().into())
    }

    /// Hashes an inner node with these children.
    pub fn of_children(left: Self, right: Self) -> Self {
        Self(Sha256::new().chain_update(Self::NODE_PREFIX).chain_update(left.0).chain_update(right.0).finalize().into())
    }

    pub const fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }
}

impl fmt::Display for TreeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(&self.0))
    }
}

impl fmt::Debug for TreeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeHash({self})")
    }
}

impl FromStr for TreeHash {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = decode(text).ok_or(NOT_A_TREE_HASH)?;
        bytes.try_into().map(Self).map_err(|_| NOT_A_TREE_HASH)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for TreeHash {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for TreeHash {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

// Standard base64 with padding, in its canonical form alone: one text for the same bytes.

pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes text; `None` if it is not base64, or not canonical.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
