#![doc = include_str!("../README.md")]

mod game_index;
mod page;

pub use game_index::{FilteredGames, GameFilter, GameIndex, NoSuchTeam};
pub use page::{
    HistoryRequest, Limit, NotAHistoryRequest, NotALimit, Order, PageRange, PageRows, SeasonChoice, Snapshot, page,
};
