#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod accounting;
mod bet_kind;
mod exclusion_reason;
mod game;
mod leaderboard;
mod record;
mod replay;
mod strategy;
mod walk;

pub use accounting::{Accounting, PriceBasis};
pub use bet_kind::{BetKind, LineMove};
pub use exclusion_reason::ExclusionReason;
pub use game::{Finality, StrategyGame};
pub use leaderboard::{Leaderboard, LeaderboardEntry, MIN_SAMPLE};
pub use record::{BettingRecord, PERCENT_PLACES};
pub use replay::{Replay, ReplayedBet};
pub use strategy::{Signal, Stance, Strategy, StrategyId};
pub use walk::{Bet, BetResult, Exclusion, RuleOutcome, walk};
