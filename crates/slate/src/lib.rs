#![doc = include_str!("../README.md")]

mod comparison;
pub mod freshness;
mod game;
mod odds;
mod pick;
#[cfg(feature = "serde")]
pub mod serialized;
mod team_names;

pub use comparison::{MarketComparison, compare_markets, market_line};
pub use game::{SlateGame, models_used, upcoming_floor};
pub use odds::{OddsGame, QuotedGame, QuotedTeam, is_another, without_placeholder_openers};
pub use pick::{ExpectedValues, Pick};
pub use team_names::{Names, TeamName, TeamNames};
