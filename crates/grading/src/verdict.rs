use sports_domain::{ModelColumn, ModelId, Side};

/// The result of grading one market of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The game is decided, and at least one model other than IMPLIED picked a side.
    Graded(Graded),
    /// No model is graded.
    Ungraded(UngradedReason),
}

/// The picks of all models for one game: a bit mask for each side, in which the bit of a model is its place in the
/// [`ModelSet`](sports_domain::ModelSet).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Picks {
    pub(crate) positive: u64,
    pub(crate) negative: u64,
}

impl Picks {
    /// Returns the mask of the models that picked a side.
    #[inline]
    pub const fn on(self, side: Side) -> u64 {
        match side {
            Side::Positive => self.positive,
            Side::Negative => self.negative,
        }
    }

    /// Returns a model's pick, if any.
    #[inline]
    pub fn of(self, model: impl Into<ModelId>) -> Option<Side> {
        let bit = 1 << model.into().index();
        if self.positive & bit != 0 {
            Some(Side::Positive)
        } else if self.negative & bit != 0 {
            Some(Side::Negative)
        } else {
            None
        }
    }

    /// Returns `true` if a model other than IMPLIED picked a side: market prices alone are not a prediction.
    #[inline]
    pub const fn is_prediction(self) -> bool {
        (self.positive | self.negative) & !(1 << ModelColumn::Implied.index()) != 0
    }
}

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
    #[inline]
    pub const fn outcome(&self) -> Side {
        self.outcome
    }

    /// Returns a model's pick; `None` without a probability and at exactly one half.
    #[inline]
    pub fn pick(&self, model: impl Into<ModelId>) -> Option<Side> {
        self.picks.of(model)
    }

    /// Returns the picks of all models.
    #[inline]
    pub const fn picks(&self) -> Picks {
        self.picks
    }

    /// Returns `true` if a model's pick won; `None` without a pick.
    #[inline]
    pub fn won(&self, model: impl Into<ModelId>) -> Option<bool> {
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
    fn implied_alone_is_no_prediction_and_any_other_model_is() {
        assert!(!Picks { positive: 1, negative: 0 }.is_prediction());
        for bit in 1..=ModelId::own(31).expect("the last place").index() {
            assert!(Picks { positive: 1 << bit, negative: 0 }.is_prediction());
            assert!(Picks { positive: 0, negative: 1 << bit }.is_prediction());
        }
    }

    #[test]
    fn reasons_are_those_of_the_specification() {
        let codes = ["no_final", "no_line", "push", "no_prediction"];
        assert_eq!(UngradedReason::ALL.map(UngradedReason::code), codes);
    }
}
