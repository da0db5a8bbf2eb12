use sports_domain::{ModelColumn, Side};

/// What grading says about one market of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// At least one model other than IMPLIED took a side of a decided game.
    Graded(Graded),
    /// No model is graded, for this reason.
    Ungraded(UngradedReason),
}

/// The side that each model takes of a game, in the order of [`ModelColumn::ALL`].
pub(crate) type Picks = [Option<Side>; ModelColumn::ALL.len()];

/// A decided game and the side each model took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graded {
    outcome: Side,
    picks: Picks,
}

impl Graded {
    pub(crate) const fn new(outcome: Side, picks: Picks) -> Self {
        Self { outcome, picks }
    }

    /// The side that won.
    #[must_use]
    #[inline]
    pub const fn outcome(&self) -> Side {
        self.outcome
    }

    /// The side a model took; `None` when it gave no probability or exactly one half.
    #[must_use]
    #[inline]
    pub const fn pick(&self, model: ModelColumn) -> Option<Side> {
        self.picks[model.index()]
    }

    /// The side each model took, in the order of [`ModelColumn::ALL`].
    #[must_use]
    #[inline]
    pub const fn picks(&self) -> &[Option<Side>; ModelColumn::ALL.len()] {
        &self.picks
    }

    /// Whether a model's pick won; `None` without a pick.
    #[must_use]
    #[inline]
    pub fn won(&self, model: ModelColumn) -> Option<bool> {
        self.pick(model).map(|side| side == self.outcome)
    }
}

/// Why no model was graded on a game. The order is the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UngradedReason {
    /// The game has no final score.
    NoFinal,
    /// The market posted no line.
    NoLine,
    /// The final is exactly on the line.
    Push,
    /// No model took a side.
    NoPrediction,
}

impl UngradedReason {
    /// Every reason, the one with precedence first.
    pub const ALL: [Self; 4] = [Self::NoFinal, Self::NoLine, Self::Push, Self::NoPrediction];

    /// The code served, such as `no_final`.
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
