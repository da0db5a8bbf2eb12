#![doc = include_str!("../README.md")]

mod cells;
mod columns;
mod data;
mod file_kind;
mod finals;
mod findings;
mod folder;
mod forecast_rules;
mod game_columns;
mod hint;
mod json;
mod key;
mod layout;
mod limits;
mod manifest;
mod match_ids;
mod name_problems;
mod names;
mod odds;
mod predictions;
mod read;
mod rows;
mod score;
mod spreads;
mod table;
mod teams;
mod template;

pub use columns::{InputColumn, InputKind};
pub use file_kind::FileKind;
pub use finals::{ReadFinals, read_finals};
pub use read::{ReadError, ReadRelease, read};
pub use template::{Template, TemplateKind, template};
