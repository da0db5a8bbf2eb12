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
mod proof;
mod signing_key;
mod tile_path;
mod timestamp;
mod tree;
mod verifier_key;

pub use bundle::{LongLeaf, NotABundle, bundle_beginning, bundle_bytes, read_bundle};
pub use game_text::game_text;
pub use hash::{NotATreeHash, TreeHash};
pub use inclusion::{
    ConsistencyError, InclusionError, consistency_nodes, consistency_path, inclusion_nodes, inclusion_path,
    verify_consistency, verify_inclusion,
};
pub use leaf::{LEAF_LIMIT, Leaf, LeafFact, NotALeaf, NotAStatusWord, RecordedEnding, StatusWord, WrittenLeaf};
pub use note::{
    Checkpoint, Cosignature, NOTE_LIMIT, NotACheckpoint, NotANote, NotSigned, OTHER_SIGNATURES, SignedCheckpoint,
};
pub use opening::{Nonce, NotASecret, NotAnOpening, Opening, Salt};
pub use payload::Payload;
pub use proof::{ForecastProof, Logged, NotAProof, NotProven};
pub use signing_key::{NotAPublishedKey, NotASeed, PublishedKey, ReplacedKey, SigningKey};
pub use tile_path::{HashTile, NotATile, NotATilePath, TileKind, TilePath, TileSet, tile_bytes};
pub use timestamp::{NotAStatedHead, NotATimestamp, StatedHead, TimestampRequest, is_timestamp_of};
pub use tree::{Growth, MissingNode, Node, Nodes, NotAnEdge, RightEdge, Tree};
pub use verifier_key::{
    KeyId, KeyKind, KeyName, NotAKeyName, NotASignature, NotAVerifierKey, NotAnOrigin, Origin, SignatureLine,
    VerifierKey,
};
