/// The status of a league's daily data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// No data of today is published, and the deadline has not passed.
    Pending,
    /// Some of today's data is published, and the deadline has not passed.
    Updating,
    /// Today's run and all of its data are complete.
    Fresh,
    /// Today's run confirmed that there are no games.
    OffDay,
    /// Only some of today's data is published, and the deadline has passed.
    Partial,
    /// Today's data is missing after the deadline, or predictions missed their refresh.
    Stale,
    /// The state of the data is unknown.
    Unknown,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 7] =
        [Self::Pending, Self::Updating, Self::Fresh, Self::OffDay, Self::Partial, Self::Stale, Self::Unknown];

    /// Returns the served word, such as `off_day`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Updating => "updating",
            Self::Fresh => "fresh",
            Self::OffDay => "off_day",
            Self::Partial => "partial",
            Self::Stale => "stale",
            Self::Unknown => "unknown",
        }
    }
}

/// A problem of a league's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Degradation {
    /// The odds are old, and games of the day have not started.
    SourceStale,
    /// Predictions were not rebuilt in time after newer odds.
    PredictionsStale,
    /// Games of earlier days have no final yet.
    ResultsAwaitingSettlement,
    /// Today's data is missing or incomplete after the deadline.
    DailyOutputStale,
    /// The league was never published, and the deadline has passed.
    ReleaseMissing,
    /// The store is unavailable.
    ReleaseUnavailable,
}

impl Degradation {
    /// Every problem.
    pub const ALL: [Self; 6] = [
        Self::SourceStale,
        Self::PredictionsStale,
        Self::ResultsAwaitingSettlement,
        Self::DailyOutputStale,
        Self::ReleaseMissing,
        Self::ReleaseUnavailable,
    ];

    /// Returns the served word, such as `source_stale`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SourceStale => "source_stale",
            Self::PredictionsStale => "predictions_stale",
            Self::ResultsAwaitingSettlement => "results_awaiting_settlement",
            Self::DailyOutputStale => "daily_output_stale",
            Self::ReleaseMissing => "release_missing",
            Self::ReleaseUnavailable => "release_unavailable",
        }
    }
}
