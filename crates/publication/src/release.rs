use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;

use crate::{ObjectHash, SeasonHistory};

/// Whether a league has games to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slate {
    /// Games today, or later in the league's week.
    Active,
    /// A confirmed off-day.
    None,
}

impl Slate {
    /// The word in files: `active` or `none`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::None => "none",
        }
    }
}

/// A run of the publisher's models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The publisher's id of the run.
    pub id: String,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// When it ended; `None` while it runs.
    pub completed_at: Option<DateTime<Utc>>,
    /// What it found the slate to be.
    pub slate: Slate,
}

/// As of when the publisher's sources spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceTimes {
    /// The odds.
    pub odds: Option<DateTime<Utc>>,
    /// The predictions.
    pub predictions: Option<DateTime<Utc>>,
}

/// What a publisher's folder says, read and checked row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// The league.
    pub sport: Sport,
    /// The Eastern date the release is for.
    pub slate_date: NaiveDate,
    /// The run that made it; missing from a refresh between runs.
    pub run: Option<Run>,
    /// As of when its sources spoke.
    pub source_as_of: SourceTimes,
    /// Seasons it tells of, by label.
    pub history: Vec<SeasonHistory>,
    /// The hash of every file of the folder: two folders with the same files are one release.
    pub content: ObjectHash,
}
