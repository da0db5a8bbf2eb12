#![doc = include_str!("../README.md")]

mod arrays;
mod codec;
mod decode;
mod encode;
mod tables;

pub use codec::ParquetArchives;

/// What a codec function met; only its text is used, in the log.
type CodecError = Box<dyn std::error::Error + Send + Sync>;

/// Marks a publisher's own column in its field's metadata.
const EXTRA: &str = "sports.extra";
