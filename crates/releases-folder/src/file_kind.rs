/// A kind of table that a publisher writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// `games/{season}`: lines, prices and finals, for all three markets.
    Games,
    /// `probabilities/{model_type}/{season}`: a market's model probabilities.
    Probabilities,
    /// `results/{model_type}/{season}`: games and probabilities in one file, for one market.
    Results,
    /// `odds`: current lines and prices of the slate.
    Odds,
    /// `predictions/{model_type}`: a market's model probabilities for the slate.
    Predictions,
    /// A file of finals for `sportsctl settle`; never part of a release.
    Finals,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Games, Self::Probabilities, Self::Results, Self::Odds, Self::Predictions, Self::Finals];

    /// Returns the name of the kind; for kinds in a release this is the name of the folder or file.
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

    /// Returns the name of the kind in a sentence, such as `odds` or `games/`.
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
