#![doc = include_str!("../README.md")]

mod csv;
mod graded;
mod json;
mod json_page;
mod json_rows;
mod json_value;
mod known_season;
mod ndjson;
mod rows;
mod season;
mod table_of;
mod tabular;

pub use csv::CsvTables;
pub use json_page::JsonPage;
pub use json_rows::JsonRows;
pub use ndjson::NdjsonTables;
pub use season::RenderedSeason;
pub use table_of::{Cell, TableOf, Tabular};
pub use tabular::TabularSeason;
