#![doc = include_str!("../README.md")]

mod expected_values;
mod game;
mod market_line;
mod names;
mod odds;
mod openers;
mod pick;
mod upcoming;

pub use expected_values::ExpectedValues;
pub use game::{SlateGame, models_used};
pub use market_line::market_line;
pub use names::{display_name, short_name};
pub use odds::OddsGame;
pub use openers::without_placeholder_openers;
pub use pick::Pick;
pub use upcoming::upcoming_floor;
