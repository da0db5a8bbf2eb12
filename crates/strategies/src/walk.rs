use sports_domain::{AmericanPrice, Side};
use sports_grading::Outcome;

use crate::{Accounting, ExclusionReason, Strategy, StrategyGame};

/// The result of a one-unit bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BetResult {
    /// The side of the bet won.
    Win,
    /// The other side won.
    Loss,
    /// The final was on the line, and the stake was returned.
    Push,
}

impl BetResult {
    /// Every result.
    pub const ALL: [Self; 3] = [Self::Win, Self::Loss, Self::Push];

    /// Returns the word served as `outcome`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Push => "push",
        }
    }

    /// Returns true for a win and false for a loss; `None` for a push.
    pub const fn won(self) -> Option<bool> {
        match self {
            Self::Win => Some(true),
            Self::Loss => Some(false),
            Self::Push => None,
        }
    }
}

/// A one-unit bet on a finished game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bet {
    /// The index of the game in the input.
    pub game: usize,
    /// The price at which the bet was settled.
    pub price: AmericanPrice,
    /// The result of the bet.
    pub result: BetResult,
}

impl Bet {
    /// Returns the profit beyond the stake, in units: negative for a loss, zero for a push.
    pub fn profit(&self) -> f64 {
        match self.result {
            BetResult::Win => self.price.profit_per_unit(),
            BetResult::Loss => -1.0,
            BetResult::Push => 0.0,
        }
    }
}

/// A finished game with a signal but without a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exclusion {
    /// The index of the game in the input.
    pub game: usize,
    /// The reason for the exclusion.
    pub reason: ExclusionReason,
}

/// The outcome of a strategy for a finished game with a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RuleOutcome {
    /// A bet.
    Bet(Bet),
    /// No bet despite a signal.
    ExclusionReason(Exclusion),
}

/// Applies a strategy to games, in their order. Both records and replays are computed from these steps alone.
///
/// A game without a final or without a posted line is neither a bet nor an exclusion; nor is a push if the accounting
/// does not count pushes as bets.
pub fn walk(
    strategy: Strategy,
    accounting: Accounting,
    games: &[StrategyGame<'_>],
) -> impl Iterator<Item = RuleOutcome> {
    let steps = games.iter().enumerate();
    steps
        .filter(move |(_, game)| strategy.bets_on(game))
        .filter_map(move |(place, game)| outcome(strategy.side(), accounting, place, game))
}

/// Returns the outcome of a bet on `side` of a game; `None` if it is neither a bet nor an exclusion.
#[inline]
pub fn outcome(side: Side, accounting: Accounting, place: usize, game: &StrategyGame<'_>) -> Option<RuleOutcome> {
    let result = match game.market().outcome()? {
        Outcome::Push if !accounting.stakes_pushes() => return None,
        Outcome::Push => BetResult::Push,
        Outcome::Decided(winner) if winner == side => BetResult::Win,
        Outcome::Decided(_) => BetResult::Loss,
    };
    Some(match accounting.price(game, game.market().prices().on(side)) {
        Ok(price) => RuleOutcome::Bet(Bet { game: place, price, result }),
        Err(reason) => RuleOutcome::ExclusionReason(Exclusion { game: place, reason }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_and_reasons_are_those_of_the_specification() {
        assert_eq!(BetResult::ALL.map(BetResult::word), ["win", "loss", "push"]);
        assert_eq!(BetResult::ALL.map(BetResult::won), [Some(true), Some(false), None]);
        assert_eq!(ExclusionReason::ALL.map(ExclusionReason::code), ["missing_price", "unverified_finality"]);
    }
}
