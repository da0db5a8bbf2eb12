use crate::{Accounting, Bet, BettingRecord, Exclusion, RuleOutcome, Strategy, StrategyGame, walk};

/// A bet of a replay, with the account after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReplayedBet {
    /// The bet.
    pub bet: Bet,
    /// The profit in units up to and including this bet, rounded to six places.
    pub total: f64,
}

/// A strategy's season bet by bet, in the order of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The bets, in the order of the games.
    pub bets: Vec<ReplayedBet>,
    /// Finished games with a signal but without a bet.
    pub excluded: Vec<Exclusion>,
    /// The record of the bets.
    pub record: BettingRecord,
}

impl Replay {
    /// Replays a strategy over a season's games.
    pub fn from_games(strategy: Strategy, accounting: Accounting, games: &[StrategyGame<'_>]) -> Self {
        let mut replay = Self { bets: Vec::new(), excluded: Vec::new(), record: BettingRecord::default() };
        for step in walk(strategy, accounting, games) {
            replay.record.add(&step);
            match step {
                // The account after a bet is the record so far, so the last account equals the leaderboard's profit.
                RuleOutcome::Bet(bet) => replay.bets.push(ReplayedBet { bet, total: replay.record.profit_units() }),
                RuleOutcome::ExclusionReason(exclusion) => replay.excluded.push(exclusion),
            }
        }
        replay
    }
}
