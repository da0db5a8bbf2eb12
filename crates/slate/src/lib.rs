#![doc = include_str!("../README.md")]

mod comparison;
mod expected_values;
pub mod freshness;
mod game;
mod market_line;
mod matching;
mod names;
mod odds;
mod openers;
mod pick;
mod quotes;
mod team_names;
mod upcoming;

pub use comparison::{MarketComparison, compare_markets};
pub use expected_values::ExpectedValues;
pub use game::{SlateGame, models_used};
pub use market_line::market_line;
pub use names::Names;
pub use odds::{OddsGame, is_another};
pub use openers::without_placeholder_openers;
pub use pick::Pick;
pub use quotes::{QuotedGame, QuotedTeam};
pub use team_names::{TeamName, TeamNames};
pub use upcoming::upcoming_floor;
