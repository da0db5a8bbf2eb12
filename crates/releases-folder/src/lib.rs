#![doc = include_str!("../README.md")]

mod cells;
mod columns;
mod findings;
mod folder;
mod forecasts;
mod games;
mod hint;
mod key;
mod layout;
mod lines;
mod manifest;
mod read;
mod rows;
mod table;
mod template;

pub use columns::{Column, ColumnKind, FileKind};
pub use read::{ReadError, ReadRelease, read};
pub use template::{Template, TemplateKind, template};
