use chrono::{DateTime, NaiveDate, Utc};

/// The activity of a slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// The publisher's id of the run.
    pub id: String,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub started_at: DateTime<Utc>,
    /// The end; `None` while it runs.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub completed_at: Option<DateTime<Utc>>,
    /// The activity of its slate.
    pub slate: SlateActivity,
}

/// A run that has completed, and the slate it was for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompletedRun {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    slate_date: NaiveDate,
    #[cfg_attr(feature = "serde", serde(flatten, deserialize_with = "deserialize_completed"))]
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

#[cfg(feature = "serde")]
fn deserialize_completed<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Run, D::Error> {
    let run: Run = serde::Deserialize::deserialize(from)?;
    let has_completed = run.completed_at.is_some();
    has_completed.then_some(run).ok_or_else(|| serde::de::Error::custom("an earlier run that has not completed"))
}
