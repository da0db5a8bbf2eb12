use sports_domain::{ModelColumn, Side};

/// The result of grading one market of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The game is decided, and at least one model other than IMPLIED picked a side.
    Graded(Graded),
    /// No model is graded.
    Ungraded(UngradedReason),
}

/// The picks of all models for one game, in the order of [`ModelColumn::ALL`].
pub(crate) type Picks = [Option<Side>; ModelColumn::ALL.len()];

/// A decided game with the picks of all models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graded {
    outcome: Side,
    picks: Picks,
}

impl Graded {
    pub(crate) const fn new(outcome: Side, picks: Picks) -> Self {
        Self { outcome, picks }
    }

    /// Returns the side that won.
    #[must_use]
    #[inline]
    pub const fn outcome(&self) -> Side {
        self.outcome
    }

    /// Returns a model's pick; `None` without a probability and at exactly one half.
    #[must_use]
    #[inline]
    pub const fn pick(&self, model: ModelColumn) -> Option<Side> {
        self.picks[model.index()]
    }

    /// Returns the picks of all models, in the order of [`ModelColumn::ALL`].
    #[must_use]
    #[inline]
    pub const fn picks(&self) -> &[Option<Side>; ModelColumn::ALL.len()] {
        &self.picks
    }

    /// Returns `true` if a model's pick won; `None` without a pick.
    #[must_use]
    #[inline]
    pub fn won(&self, model: ModelColumn) -> Option<bool> {
        self.pick(model).map(|side| side == self.outcome)
    }
}

/// The reason why no model is graded for a game. Earlier variants have precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UngradedReason {
    /// The game has no final score.
    NoFinal,
    /// The market has no posted line.
    NoLine,
    /// The final is exactly on the line.
    Push,
    /// No model other than IMPLIED picked a side.
    NoPrediction,
}

impl UngradedReason {
    /// Every reason, in the order of precedence.
    pub const ALL: [Self; 4] = [Self::NoFinal, Self::NoLine, Self::Push, Self::NoPrediction];

    /// Returns the served code, such as `no_final`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoFinal => "no_final",
            Self::NoLine => "no_line",
            Self::Push => "push",
            Self::NoPrediction => "no_prediction",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_of_the_specification() {
        let codes = ["no_final", "no_line", "push", "no_prediction"];
        assert_eq!(UngradedReason::ALL.map(UngradedReason::code), codes);
    }
}
