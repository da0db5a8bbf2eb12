#![doc = include_str!("../README.md")]

mod csv;
mod graded;
mod joined;
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
mod united;

pub use csv::CsvTables;
pub use joined::{JoinedSeason, MARKET_PREFIXES};
pub use json_page::JsonPage;
pub use json_rows::JsonRows;
pub use ndjson::{NdjsonTables, json_objects};
pub use season::RenderedSeason;
pub use table_of::{Cell, Field, TableOf, Tabular};
pub use tabular::{SeasonTable, TabularSeason};
pub use united::UnitedHeads;
