//! Names of content: the SHA-256 of some bytes, as 64 lowercase hexadecimal digits.
//!
//! Stored objects are named by the hash of their bytes (`ObjectHash::from_bytes`, or `ObjectHasher` piece by piece), and each
//! entry of a log names the hash of the entry before. A response's validator and a page's snapshot are hashes of all inputs of
//! the response (`Validator::from_parts`, `ObjectHash::from_parts`); the hash also depends on the division into parts.

mod hash;
mod validator;

pub use hash::{NotAHash, ObjectHash, ObjectHasher};
pub use validator::Validator;
