use std::fmt;

use sports_domain::FinalScore;

use crate::StatusWord;

/// The ending of a game in a `final` leaf: `17 10 settled`, `- - postponed` or `- - -`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecordedEnding {
    /// The game has a final.
    Final {
        score: FinalScore,
        /// `settled`, or the publisher's own word.
        status: StatusWord,
    },
    /// The game was called off.
    CalledOff {
        /// The reason, never `settled`.
        status: StatusWord,
    },
    /// The game has an ending no longer.
    Gone,
}

impl RecordedEnding {
    const SETTLED: &str = "settled";

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ');
        match (words.next()?, words.next()?, words.next()?) {
            ("-", "-", "-") => Some(Self::Gone),
            ("-", "-", Self::SETTLED) => None,
            ("-", "-", status) => Some(Self::CalledOff { status: status.parse().ok()? }),
            (away, home, status) => {
                let score = FinalScore { away: away.parse().ok()?, home: home.parse().ok()? };
                Some(Self::Final { score, status: status.parse().ok()? })
            }
        }
    }
}

impl fmt::Display for RecordedEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final { score, status } => write!(f, "{} {} {status}", score.away, score.home),
            Self::CalledOff { status } => write!(f, "- - {status}"),
            Self::Gone => f.write_str("- - -"),
        }
    }
}
