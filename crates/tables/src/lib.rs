#![doc = include_str!("../README.md")]

pub mod archive;
pub mod bounded;
mod csv;
mod graded;
mod joined;
mod json;
mod known_season;
mod ndjson;
mod rule_bets;
mod table_of;
mod tabular;

pub use csv::CsvTables;
pub use graded::RenderedSeason;
pub use joined::{JoinedSeason, MARKET_PREFIXES};
pub use json::{JsonPage, JsonRows};
pub use ndjson::{NdjsonTables, json_objects};
pub use rule_bets::{RuleBetRow, rule_bets};
pub use table_of::{Cell, TableOf, Tabular};
pub use tabular::{SeasonTable, TabularSeason, UnitedHeads};
