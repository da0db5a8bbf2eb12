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
pub use leaderboard::{Leaderboard, LeaderboardEntry, MIN_SAMPLE};
pub use record::BettingRecord;
pub use replay::{Replay, ReplayedBet};
pub use rule::{Rule, RuleId, Signal, Stance, UnknownRule};
pub use walk::{Bet, BetResult, Exclusion, ExclusionReason, RuleOutcome, walk};
