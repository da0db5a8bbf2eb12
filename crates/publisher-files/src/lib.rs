#![doc = include_str!("../README.md")]

pub mod archive;
mod bounds;
mod cells;
mod columns;
pub mod convert;
mod endings;
mod files;
mod finals;
mod findings;
mod folder;
mod format;
mod game_columns;
mod json;
mod key;
mod layout;
mod manifest;
mod names;
mod odds;
mod read;
mod remedy;
mod rows;
mod scales;
mod table;
mod teams;
mod template;
mod undeclared;

pub use columns::{FileKind, InputColumn, InputKind};
pub use files::{MANIFEST, ReleaseFiles};
pub use finals::{ReadFinals, ScheduledRow, read_finals, read_schedule};
pub use format::{LineCounter, ParquetTable};
pub use names::{did_you_mean, nearest, trade_name};
pub use read::{ReadError, ReadRelease, read, read_under};
pub use remedy::american_price;
pub use template::{Template, TemplateColumn, TemplateKind, template};
