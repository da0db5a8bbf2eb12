#![doc = include_str!("../README.md")]

pub mod audit;
mod bundle;
mod game_text;
mod hash;
mod inclusion;
mod leaf;
mod note;
mod opening;
mod payload;
mod policy;
mod proof;
mod signing_key;
mod tile_path;
mod timestamp;
mod tree;
mod verifier_key;

pub use bundle::{bundle_beginning, bundle_bytes, read_bundle};
pub use game_text::game_text;
pub use hash::TreeHash;
pub use inclusion::{
    ConsistencyError, InclusionError, consistency_nodes, consistency_path, inclusion_nodes, inclusion_path,
    verify_consistency, verify_inclusion,
};
pub use leaf::{LEAF_LIMIT, Leaf, LeafFact, RecordedEnding, StatusWord, WrittenLeaf};
pub use note::{Checkpoint, Cosignature, NOTE_LIMIT, NotSigned, OTHER_SIGNATURES, SignedCheckpoint};
pub use opening::{Nonce, Opening, Salt};
pub use payload::Payload;
pub use policy::{Policy, Quorum};
pub use proof::{ForecastProof, Logged, NotProven};
pub use signing_key::{PublishedKey, ReplacedKey, SigningKey};
pub use sports_domain::FormError;
pub use tile_path::{HashTile, TileKind, TilePath, TileSet, tile_bytes};
pub use timestamp::{NotATimestamp, StatedHead, TimestampRequest, is_timestamp_of, stated_timestamp};
pub use tree::{Growth, MissingNode, Node, Nodes, RightEdge, Tree};
pub use verifier_key::{KeyId, KeyKind, KeyName, Origin, SignatureLine, VerifierKey};
