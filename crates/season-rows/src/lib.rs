#![doc = include_str!("../README.md")]

mod graded;
mod json;
mod json_page;
mod json_rows;
mod season;
mod tabular;

pub use json_page::JsonPage;
pub use json_rows::JsonRows;
pub use season::RenderedSeason;
pub use tabular::TabularSeason;
