#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod market_game;
mod posted_line;
mod verdict;

pub use market_game::MarketGame;
pub use posted_line::{Outcome, PostedLine};
pub use verdict::{Graded, Picks, UngradedReason, Verdict};

/// The version of the grading rules, by semantic versioning. A change that can alter a verdict raises it, so that a
/// stored record shows the rules that graded it.
pub const RULES_VERSION: &str = "1.0.0";
