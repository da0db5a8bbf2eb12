#![doc = include_str!("../README.md")]

mod comparison;
mod expected_values;
mod game;
mod market_line;
mod matching;
mod names;
mod odds;
mod openers;
mod pick;
mod quotes;
mod upcoming;

pub use comparison::{MarketComparison, compare_markets};
pub use expected_values::ExpectedValues;
pub use game::{SlateGame, models_used};
pub use market_line::market_line;
pub use names::{display_name, is_club, short_name};
pub use odds::{OddsGame, is_another};
pub use openers::without_placeholder_openers;
pub use pick::Pick;
pub use quotes::{QuotedGame, QuotedTeam};
pub use upcoming::upcoming_floor;
