use chrono::{DateTime, NaiveDate, Utc};

/// The activity of a slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlateActivity {
    /// Games today, or later in the league's week.
    Active,
    /// A confirmed off-day.
    None,
}

impl SlateActivity {
    /// Both activities.
    pub const ALL: [Self; 2] = [Self::Active, Self::None];

    /// Returns the word in files: `active` or `none`.
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
    pub started_at: DateTime<Utc>,
    /// The end; `None` while it runs.
    pub completed_at: Option<DateTime<Utc>>,
    /// The activity of its slate.
    pub slate: SlateActivity,
}

/// A run that has completed, and the slate it was for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedRun {
    slate_date: NaiveDate,
    run: Run,
}

impl CompletedRun {
    /// Returns `None` for a run that has only begun.
    pub fn new(slate_date: NaiveDate, run: Run) -> Option<Self> {
        run.completed_at.is_some().then_some(Self { slate_date, run })
    }

    /// Returns the date of its slate.
    pub const fn slate_date(&self) -> NaiveDate {
        self.slate_date
    }

    pub const fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn into_run(self) -> Run {
        self.run
    }
}
