#![doc = include_str!("../README.md")]

mod arrays;
mod codec;
mod tables;

pub use codec::ParquetArchives;

/// The error of a codec function. Only its text is used, in the log.
type CodecError = Box<dyn std::error::Error + Send + Sync>;

/// The key that marks a publisher's own column in its field's metadata.
const EXTRA: &str = "sports.extra";

/// The key that marks the column of a publisher's own model.
const MODEL: &str = "sports.model";
