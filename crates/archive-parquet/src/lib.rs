#![doc = include_str!("../README.md")]

mod codec;
mod decode;
mod encode;

pub use codec::ParquetArchives;

/// Marks a publisher's own column in its field's metadata.
const EXTRA: &str = "sports.extra";
