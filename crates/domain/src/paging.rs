//! Divides a long list into pages: limits, offsets, and snapshots that detect a change of the list between two pages. A season's
//! games can be filtered by date and by team; pages are then pages of the filtered games.
//!
//! ```rust
//! use sports_domain::paging::{Limit, page};
//!
//! let first = page(10, 0, Limit::new(7)?);
//! assert_eq!((first.rows, first.next_offset), (0..7, Some(7)));
//! let last = page(10, 7, Limit::new(7)?);
//! assert_eq!((last.rows, last.next_offset), (7..10, None));
//! # Ok::<(), sports_domain::paging::NotALimit>(())
//! ```

mod game_index;
mod page;

pub use game_index::{FilteredGames, GameFilter, GameIndex, GameProgress, GameState, NoSuchTeam};
pub use page::{
    HistoryRequest, Limit, NotAHistoryRequest, NotALimit, Order, PageRange, PageRows, SeasonChoice, Snapshot, page,
};
