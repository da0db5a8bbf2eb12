/// A reason for which a finished game with a signal has no bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExclusionReason {
    /// No price was recorded on the side of the bet.
    MissingPrice,
    /// The final is not verified.
    UnverifiedFinality,
}

impl ExclusionReason {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::MissingPrice, Self::UnverifiedFinality];

    /// Returns the code served as `reason`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::MissingPrice => "missing_price",
            Self::UnverifiedFinality => "unverified_finality",
        }
    }
}
