/// A side of a market. Probabilities are always those of the positive side.
///
/// | market | positive | negative |
/// |---|---|---|
/// | total | over | under |
/// | moneyline | home team | away team |
/// | spread | home spread | away spread |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The over, or the home team.
    Positive,
    /// The under, or the away team.
    Negative,
}

impl Side {
    /// The side that wins when this one loses.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}
