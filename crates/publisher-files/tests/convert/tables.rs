//! The real seasons in three foreign shapes, and files that cannot be converted.

mod account;
mod any_bytes;
mod layouts;
mod parquet_files;
mod presets;
mod real_data;
mod refusals;
mod support;
mod two_rows;
mod values;
