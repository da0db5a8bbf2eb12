//! Tables of other sources become the files of a release folder, by a map of their columns.

mod binding;
mod convert;
mod entry;
mod field;
mod findings;
mod lines;
mod map;
mod pairs;
mod patterns;
mod percentages;
mod plan;
mod postseason;
mod preset;
mod prices;
mod reader;
mod release;
mod source;
mod starts;
mod zone;

pub use convert::{Conversion, ConvertError, FileSummary, InputFile, Request, SeasonSummary, convert};
pub use findings::Reason;
pub use map::{ColumnMap, models_text, text_over};
pub use postseason::Postseason;
pub use preset::Preset;
pub use reader::GameSelection;
pub use release::{ReleaseFile, completed_manifest, renewed_manifest};
