#![doc = include_str!("../README.md")]

mod csv;
mod json_value;
mod ndjson;
mod rows;

pub use csv::CsvTables;
pub use json_value::write_json_value;
pub use ndjson::NdjsonTables;
