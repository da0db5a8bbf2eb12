//! Season archives as Parquet files: one row for each game, plain columns, readable by pandas, polars and DuckDB.
//!
//! The columns are defined by `season_table` in `sports-publication`. Dates are `DATE`, Eastern start times are text (`HH:MM:SS`,
//! missing if unknown), prices and scores are 32-bit integers, points and probabilities are doubles, and `forecast_published_at` is
//! a UTC timestamp. The publisher's own columns keep their names and are marked `sports.extra` in the field's metadata. Results of
//! grading are not stored: they follow from these columns and the version of the rules.

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
