/// A kind of table that a publisher writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// `games/{season}`: lines, prices and finals, for all three markets.
    Games,
    /// `probabilities/{model_type}/{season}`: a market's model probabilities.
    Probabilities,
    /// `results/{model_type}/{season}`: both at once, for one market.
    Results,
    /// `odds`: current lines and prices of the slate.
    Odds,
    /// `predictions/{model_type}`: a market's model probabilities for the slate.
    Predictions,
    /// A file of finals, given to `sportsctl settle`; no part of a release.
    Finals,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Games, Self::Probabilities, Self::Results, Self::Odds, Self::Predictions, Self::Finals];

    /// The word it is called by: of what is in a release, the name of its folder or file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Probabilities => "probabilities",
            Self::Results => "results",
            Self::Odds => "odds",
            Self::Predictions => "predictions",
            Self::Finals => "finals",
        }
    }

    /// What a file of the kind is called in a sentence, such as `odds` or `games/`.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Games => "games/",
            Self::Probabilities => "probabilities/",
            Self::Results => "results/",
            Self::Odds => "odds",
            Self::Predictions => "predictions/",
            Self::Finals => "finals",
        }
    }
}
