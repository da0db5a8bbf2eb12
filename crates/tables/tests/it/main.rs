//! Archives as Parquet files, and the bounds of reading any.

mod archives;
mod bounds;
