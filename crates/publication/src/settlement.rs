use std::fmt;

use sports_domain::{FinalScore, GameKey};

/// How a game ended, as a publisher reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It was played.
    Final {
        /// The score.
        score: FinalScore,
        /// `settled`, or the publisher's own word.
        status: String,
    },
    /// It was not played, or not to its end.
    CalledOff {
        /// Why there is no final.
        status: CalledOffStatus,
    },
}

impl Ending {
    /// The status of a game whose final is known.
    pub const SETTLED: &'static str = "settled";

    /// A final that nothing else is said about.
    #[must_use]
    pub fn settled(score: FinalScore) -> Self {
        Self::Final { score, status: Self::SETTLED.to_owned() }
    }

    /// The final score, unless the game was called off.
    #[must_use]
    pub const fn score(&self) -> Option<FinalScore> {
        if let Self::Final { score, .. } = self { Some(*score) } else { None }
    }

    /// `settled`, or the publisher's word.
    #[must_use]
    pub fn status(&self) -> &str {
        match self {
            Self::Final { status, .. } => status,
            Self::CalledOff { status } => status.word(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final { score, status } => write!(f, "{}-{} (away-home), {status}", score.away, score.home),
            Self::CalledOff { status } => f.write_str(status.word()),
        }
    }
}

/// Why a game has no final: `cancelled`, `postponed` or the publisher's own word, never `settled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledOffStatus(String);

/// A game that is to be settled without a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a game without a final is not `{}`", Ending::SETTLED)]
pub struct SettledWithoutFinal;

impl CalledOffStatus {
    /// The status of a game that was called off.
    ///
    /// # Errors
    ///
    /// [`SettledWithoutFinal`] when the word is `settled`.
    pub fn new(word: impl Into<String>) -> Result<Self, SettledWithoutFinal> {
        let word = word.into();
        if word == Ending::SETTLED { Err(SettledWithoutFinal) } else { Ok(Self(word)) }
    }

    /// The word.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.0
    }
}

/// What a row says of how its game ended: its scores and its `settlement_status`, each as it is written there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedEnding {
    /// The final, if the row has both scores.
    pub score: Option<FinalScore>,
    /// The status, if the row has one.
    pub status: Option<String>,
}

impl ReportedEnding {
    /// The ending of the game after the row, where `existing` was its ending before. A final, once known, is only
    /// replaced by another and keeps its status unless the row has one: a game that was played is not called off.
    /// `settled` without a final says nothing.
    #[must_use]
    pub fn after(self, existing: Option<Ending>) -> Option<Ending> {
        match (self, existing) {
            (Self { score: Some(score), status: None }, Some(Ending::Final { status, .. })) => {
                Some(Ending::Final { score, status })
            }
            (Self { score: Some(score), status: None }, _) => Some(Ending::settled(score)),
            (Self { score: Some(score), status: Some(status) }, _) => Some(Ending::Final { score, status }),
            (Self { score: None, .. }, existing @ Some(Ending::Final { .. })) => existing,
            (Self { score: None, status }, existing) => {
                let called_off = status.and_then(|word| CalledOffStatus::new(word).ok());
                called_off.map(|status| Ending::CalledOff { status }).or(existing)
            }
        }
    }
}

/// A row of a file of finals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalRow {
    /// Which game; without a time, the only one of its teams on its date.
    pub key: GameKey,
    /// The identity of the game, if the row names it.
    pub game_id: Option<String>,
    /// The publisher's own id of the game, if the row names it.
    pub match_id: Option<String>,
    /// How it ended.
    pub ending: Ending,
    /// What is odd about its teams' names, to be said where the game is not on record.
    pub remarks: Vec<String>,
}
