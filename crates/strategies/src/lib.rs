#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod accounting;
mod backtest;
mod bankroll;
mod bet_kind;
mod bets_row;
mod exclusion_reason;
mod game;
mod leaderboard;
mod parameter;
mod record;
mod replay;
mod rule;
mod rule_bets;
mod strategy;
mod threshold;
mod walk;

pub use accounting::{Accounting, PriceBasis};
pub use backtest::{Backtest, CoursePoint, Drawdown, MOST_POINTS, Neighbour, OutOfSample, RuleRecord};
pub use bankroll::Bankroll;
pub use bet_kind::{BetKind, LineMove};
pub use bets_row::{Band, BetsRow};
pub use exclusion_reason::ExclusionReason;
pub use game::{Finality, StrategyGame};
pub use leaderboard::{Leaderboard, LeaderboardEntry, MIN_SAMPLE};
pub use parameter::{Parameter, ParameterForm, RuleParameter};
pub use record::{BettingRecord, PERCENT_PLACES};
pub use replay::{Replay, ReplayedBet};
pub use rule::{NeighbourRule, RowSource, Rule, RuleContext, RuleError, RuleRequest, Tried};
pub use rule_bets::{RuleBet, RuleBets, RuleExclusions, RuleRow, SeasonRows};
pub use strategy::{Signal, Stance, Strategy, StrategyId};
pub use walk::{Bet, BetResult, Exclusion, RuleOutcome, walk};
