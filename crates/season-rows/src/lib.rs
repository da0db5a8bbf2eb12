#![doc = include_str!("../README.md")]

mod csv;
mod json;
mod json_page;
mod json_rows;
mod season;

pub use json_page::JsonPage;
pub use json_rows::JsonRows;
pub use season::RenderedSeason;
