//! Graded seasons as bytes: every row is written once, pages are slices.

mod cell;
mod column;
mod page_body;
mod rows;
mod season;
mod seasons;

pub use cell::Cell;
pub use column::Column;
pub use page_body::PageBody;
pub use rows::Rows;
pub use season::RenderedSeason;
pub use seasons::RenderSeasons;
