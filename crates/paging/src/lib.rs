#![doc = include_str!("../README.md")]

mod game_filter;
mod game_index;
mod history;
mod limit;
mod page;
mod page_rows;

pub use game_filter::GameFilter;
pub use game_index::{FilteredGames, GameIndex, NoSuchTeam};
pub use history::{HistoryRequest, NotAHistoryRequest, SeasonChoice, Snapshot};
pub use limit::{Limit, NotALimit};
pub use page::{Order, PageRange, page};
pub use page_rows::PageRows;
