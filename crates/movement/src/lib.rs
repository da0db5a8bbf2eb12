#![doc = include_str!("../README.md")]

mod forecasts;
mod game;
mod history;
mod lines;
mod publications;
mod row;
mod season;
mod window;

pub use forecasts::ForecastItem;
pub use game::GameMovement;
pub use history::GameHistory;
pub use lines::{ClosingLine, HistoryLine, LineHistory, LineMark};
pub use publications::{Published, ReadEntry};
pub use row::{RecordedRow, SeasonRows};
pub use season::{EntrySlate, SeasonMovement};
pub use window::Window;
