use sports_domain::{AmericanPrice, Side};
use sports_grading::Outcome;

use crate::{Accounting, ExclusionReason, Rule, StrategyGame};

/// How a one-unit bet ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BetResult {
    /// The side that was bet won.
    Win,
    /// The other side won.
    Loss,
    /// The final was on the line, and the stake came back.
    Push,
}

impl BetResult {
    /// Every ending.
    pub const ALL: [Self; 3] = [Self::Win, Self::Loss, Self::Push];

    /// The word served as `outcome`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Push => "push",
        }
    }

    /// Whether the bet won; nothing can be said of a push.
    #[must_use]
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
    /// The game's place among those that were walked over.
    pub game: usize,
    /// The price it was settled at.
    pub price: AmericanPrice,
    /// How it ended.
    pub result: BetResult,
}

impl Bet {
    /// What the bet earned beyond its stake, in units: negative when lost, zero on a push.
    #[must_use]
    pub fn profit(&self) -> f64 {
        match self.result {
            BetResult::Win => self.price.profit_per_unit(),
            BetResult::Loss => -1.0,
            BetResult::Push => 0.0,
        }
    }
}

/// A finished game with a signal that is no bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exclusion {
    /// The game's place among those that were walked over.
    pub game: usize,
    /// Why.
    pub reason: ExclusionReason,
}

/// What a rule meets on a finished game it has a signal on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RuleOutcome {
    /// A bet.
    Bet(Bet),
    /// No bet, though there was a signal.
    ExclusionReason(Exclusion),
}

/// Walks a rule over games, in their order. Records and replays are both made from these steps, and from
/// nothing else.
///
/// A game without a final or without a posted line is neither a bet nor an exclusion; nor is a push where
/// the accounting takes pushes for no bets.
pub fn walk(rule: Rule, accounting: Accounting, games: &[StrategyGame]) -> impl Iterator<Item = RuleOutcome> {
    let steps = games.iter().enumerate();
    steps
        .filter(move |(_, game)| rule.bets_on(game))
        .filter_map(move |(place, game)| outcome(rule.side(), accounting, place, game))
}

/// What a bet on `side` of a game comes to; `None` where there is neither a bet nor an exclusion.
#[inline]
pub fn outcome(side: Side, accounting: Accounting, place: usize, game: &StrategyGame) -> Option<RuleOutcome> {
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
