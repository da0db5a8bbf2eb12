//! Reads Parquet files within a bounded amount of memory, even if their metadata are wrong.
//!
//! A Parquet file of a few kilobytes can expand to any amount of data: a text that a dictionary has once and a billion rows refer
//! to, a page that grows a thousandfold when it is decompressed, a schema that declares two billion children. So a file is
//! inspected before it is decoded:
//!
//! - its footer has at most 1 MiB, and its schema has no nested columns and no more columns than the caller's limit;
//! - its pages, decompressed, have at most 64 MiB together according to the footer, and a page whose header has a larger
//!   size than its column is refused before it is decompressed;
//! - texts in an encoding whose pages declare the number of texts (`DELTA_BYTE_ARRAY`, `DELTA_LENGTH_BYTE_ARRAY`) are refused:
//!   the library allocates memory for that number before it reads the texts;
//! - rows are decoded in batches that fit into 128 MiB. Rows and bytes are counted, and reading stops beyond the caller's limits.
//!
//! The crate itself holds one page of each column and one batch of rows at a time.

mod file;
mod pages;
#[cfg(feature = "testing")]
pub mod testing;
mod thrift;

pub use file::{Batches, Limits, ParquetFile};
