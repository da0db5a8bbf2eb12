#![doc = include_str!("../README.md")]

mod history;
mod limit;
mod page;

pub use history::{HistoryRequest, NotAHistoryRequest, Snapshot};
pub use limit::{Limit, NotALimit};
pub use page::{Order, PageRange, page};
