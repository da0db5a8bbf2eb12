#![doc = include_str!("../README.md")]

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
