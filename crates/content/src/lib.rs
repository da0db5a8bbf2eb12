#![doc = include_str!("../README.md")]

mod hash;

pub use hash::{NotAHash, ObjectHash, ObjectHasher};
