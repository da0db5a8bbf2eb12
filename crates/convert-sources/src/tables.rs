//! Tables of other sources become the files of a release folder, by a map of their columns.

mod binding;
mod cells;
mod convert;
mod decimal;
mod entry;
mod field;
mod findings;
mod forms;
mod game;
mod header;
mod lines;
mod map;
mod misread;
mod pairs;
mod patterns;
mod plan;
mod postseason;
mod preset;
mod prices;
mod reader;
mod release;
mod resemblance;
mod source;
mod starts;
mod summary;
mod teams;
mod zone;

pub use convert::{Conversion, ConvertError, InputFile, Request, convert};
pub use findings::Reason;
pub use map::{ColumnMap, NotAMap, text_over};
pub use postseason::{NotAPostseason, Postseason};
pub use preset::Preset;
pub use reader::Wanted;
pub use release::ReleaseFile;
pub use summary::{FileSummary, SeasonSummary};
