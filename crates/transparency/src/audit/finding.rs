use std::fmt;

use sports_domain::{GameKey, ModelType};

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// The log has a forecast of a game that results leave out.
    Missing,
    /// The log and the answers of the service contradict each other.
    Differing,
    /// No trusted witness had received the forecast before the start.
    NotAttested,
    /// The log states that the forecast was withdrawn.
    Withdrawn,
}

impl FindingKind {
    /// Returns the word of the kind.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Differing => "differing",
            Self::NotAttested => "not_attested",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A finding about one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// The market; `None` for a finding about the game in all markets.
    pub model_type: Option<ModelType>,
    pub game: GameKey,
    /// The finding in words.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.game)?;
        self.model_type.map_or(Ok(()), |model_type| write!(f, " {model_type}"))?;
        write!(f, ": {}", self.sentence)
    }
}
