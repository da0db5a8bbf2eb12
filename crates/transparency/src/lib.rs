#![doc = include_str!("../README.md")]

mod base64_text;
mod bundle;
mod commitment;
mod consistency;
mod edge;
mod game_text;
mod hash;
mod inclusion;
mod leaf;
mod leaf_text;
mod model_version;
mod node;
mod payload;
mod recorded_ending;
mod status_word;
mod tile_path;
mod tiles;
mod tree;

pub use bundle::{LongLeaf, NotABundle, bundle_bytes, read_bundle};
pub use commitment::{Nonce, NotASecret, Salt};
pub use consistency::{ConsistencyError, consistency_nodes, consistency_path, verify_consistency};
pub use edge::{NotAnEdge, RightEdge};
pub use game_text::game_text;
pub use hash::{NotATreeHash, TreeHash};
pub use inclusion::{InclusionError, inclusion_nodes, inclusion_path, verify_inclusion};
pub use leaf::{LEAF_LIMIT, Leaf};
pub use leaf_text::NotALeaf;
pub use node::{MissingNode, Node, Nodes};
pub use payload::Payload;
pub use recorded_ending::RecordedEnding;
pub use status_word::{NotAStatusWord, StatusWord};
pub use tile_path::{NotATilePath, TileKind, TilePath};
pub use tiles::{NotATile, TileSet, tile_bytes};
pub use tree::Tree;
