#![doc = include_str!("../README.md")]

mod accounting;
mod game;
mod leaderboard;
mod record;
mod replay;
mod rule;
mod walk;

pub use accounting::{Accounting, UnknownAccounting};
pub use game::{Finality, StrategyGame};
pub use leaderboard::{Entry, Leaderboard, MIN_SAMPLE};
pub use record::Record;
pub use replay::{Replay, ReplayedBet};
pub use rule::{Rule, RuleId, Signal, Stance, UnknownRule};
pub use walk::{Bet, Excluded, Exclusion, Settled, Step, walk};
