use chrono::{DateTime, NaiveDate, Utc};

/// Whether a league has games to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlateActivity {
    /// Games today, or later in the league's week.
    Active,
    /// A confirmed off-day.
    None,
}

impl SlateActivity {
    /// Either of them.
    pub const ALL: [Self; 2] = [Self::Active, Self::None];

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
    pub slate: SlateActivity,
}

/// A run that has completed, and the slate it was for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedRun {
    slate_date: NaiveDate,
    run: Run,
}

impl CompletedRun {
    /// `None` for a run that has only begun.
    #[must_use]
    pub fn new(slate_date: NaiveDate, run: Run) -> Option<Self> {
        run.completed_at.is_some().then_some(Self { slate_date, run })
    }

    /// The slate it was for.
    #[must_use]
    pub const fn slate_date(&self) -> NaiveDate {
        self.slate_date
    }

    /// The run.
    #[must_use]
    pub const fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn into_run(self) -> Run {
        self.run
    }
}
