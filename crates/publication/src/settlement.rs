use std::fmt;

use sports_domain::{FinalScore, GameKey};

/// The ending of a game, as a publisher reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The game was played.
    Final {
        score: FinalScore,
        /// `settled`, or the publisher's own word.
        status: String,
    },
    /// The game was not played, or not to its end.
    CalledOff {
        /// The reason for the missing final.
        status: CalledOffStatus,
    },
}

impl Ending {
    /// The status of a game with a known final.
    pub const SETTLED: &'static str = "settled";

    /// Words that sources have beside a verified final, besides those that begin with `final`.
    const LIKE_SETTLED: [&'static str; 8] =
        ["complete", "completed", "closed", "ended", "finished", "ft", "official", "played"];

    /// Returns true for a word that sources have beside a verified final, other than `settled`.
    pub fn means_settled(word: &str) -> bool {
        word.starts_with("final") || Self::LIKE_SETTLED.contains(&word)
    }

    pub fn settled(score: FinalScore) -> Self {
        Self::Final { score, status: Self::SETTLED.to_owned() }
    }

    /// Returns the final score, unless the game was called off.
    pub const fn score(&self) -> Option<FinalScore> {
        if let Self::Final { score, .. } = self { Some(*score) } else { None }
    }

    /// Returns `settled` or the publisher's word.
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

/// The reason for a missing final: `cancelled`, `postponed` or the publisher's own word, never `settled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledOffStatus(String);

/// The error for the status `settled` without a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a game without a final is not `{}`", Ending::SETTLED)]
pub struct SettledWithoutFinal;

impl CalledOffStatus {
    /// Creates the status of a game that was called off.
    ///
    /// # Errors
    ///
    /// [`SettledWithoutFinal`] if the word is `settled`.
    pub fn new(word: impl Into<String>) -> Result<Self, SettledWithoutFinal> {
        let word = word.into();
        if word == Ending::SETTLED { Err(SettledWithoutFinal) } else { Ok(Self(word)) }
    }

    pub fn word(&self) -> &str {
        &self.0
    }
}

/// The ending in a row: its scores and its `settlement_status`, as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedEnding {
    /// The final, if the row has both scores.
    pub score: Option<FinalScore>,
    /// The status, if the row has one.
    pub status: Option<String>,
}

impl ReportedEnding {
    /// Returns the ending of the game after the row, given its `existing` ending. A known final is replaced only by
    /// another final, and keeps its status unless the row has a status: a game that was played is not called off.
    /// `settled` without a final has no effect.
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
    /// The game's key; without a time, the only game of its teams on its date.
    pub key: GameKey,
    /// The identity of the game, if the row names it.
    pub game_id: Option<String>,
    /// The publisher's own id of the game, if the row names it.
    pub match_id: Option<String>,
    pub ending: Ending,
    /// Remarks on its teams' names, reported if the game is not on record.
    pub remarks: Vec<String>,
}
