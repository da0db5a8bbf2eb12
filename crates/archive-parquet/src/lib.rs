#![doc = include_str!("../README.md")]

mod arrays;
mod codec;
mod decode;
mod encode;
mod tables;

pub use codec::ParquetArchives;

/// Marks a publisher's own column in its field's metadata.
const EXTRA: &str = "sports.extra";
