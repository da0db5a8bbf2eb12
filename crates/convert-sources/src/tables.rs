//! Tables of other sources become the files of a release folder, by a map of their columns.

mod binding;
mod convert;
mod field;
mod findings;
mod lines;
mod map;
mod pairs;
mod patterns;
mod prices;
mod reader;
mod release;
mod source;
mod starts;
mod teams;

pub use convert::{Conversion, ConvertError, FileSummary, InputFile, Request, SeasonSummary, convert};
pub use findings::Reason;
pub use map::{ColumnMap, NotAMap, Preset, text_over};
pub use reader::GameSelection;
pub use release::{NotAPostseason, OtherSeason, Postseason, ReleaseFile, completed_manifest};
