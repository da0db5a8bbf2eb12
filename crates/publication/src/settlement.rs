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
        /// `cancelled`, `postponed` or the publisher's own word; never `settled`.
        status: String,
    },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final { score, status } => write!(f, "{}-{} (away-home), {status}", score.away, score.home),
            Self::CalledOff { status } => f.write_str(status),
        }
    }
}

/// A row of a file of finals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalRow {
    /// Which game; without a time, the only one of its teams on its date.
    pub key: GameKey,
    /// How it ended.
    pub ending: Ending,
    /// What is odd about its teams' names, to be said where the game is not on record.
    pub remarks: Vec<String>,
}
