//! The movement of a season's odds and forecasts from release to release. A reader of the log notes each entry of a season once, in
//! order; afterwards every game has its published lines, opener and closing line, its forecasts, and both as of any instant.
//!
//! | type | holds |
//! |---|---|
//! | `EntrySlate` | the parts of the slate that one log entry published |
//! | `SeasonMovement` | everything noted of a season: its entries, its publications and its games |
//! | `GameMovement` | one game: its starts, its lines, its forecasts in each market, changes only |
//! | `GameHistory` | a game beside the publications of its season, with all questions about it |
//! | `LineHistory`, `ClosingLine` | the lines before the start, marked, and the last one with a price |
//! | `ForecastItem` | one published forecast of a game in one market |
//! | `RecordedRow` | the game's row in the newest archive of a market |
//! | `UnlistedSpan` | the entries in which the start of a game may have changed while no slate listed it |
//!
//! The crate reads nothing: the entries come from the caller.

mod before_start;
mod forecasts;
mod game;
mod history;
mod known;
mod lines;
mod publications;
mod row;
mod season;
mod unlisted;
mod window;

pub use before_start::{BeforeStart, NotBeforeStart};
pub use forecasts::ForecastItem;
pub use game::GameMovement;
pub use history::GameHistory;
pub use known::{KnownGame, KnownSeason};
pub use lines::{ClosingLine, HistoryLine, LineHistory, LineMark};
pub use publications::{Published, ReadEntry};
pub use row::{RecordedRow, SeasonRows};
pub use season::{EntrySlate, SeasonMovement};
pub use unlisted::{SearchedMoves, UnlistedSpan};
pub use window::Window;
