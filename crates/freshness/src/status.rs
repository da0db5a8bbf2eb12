/// The status of a league's daily data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Nothing of today is there yet, and there is time until the deadline.
    Pending,
    /// Some of today's data is there before the deadline.
    Updating,
    /// Today's run and everything expected of it are complete.
    Fresh,
    /// Today's run confirmed that there are no games.
    OffDay,
    /// Only part of today's data was there at the deadline.
    Partial,
    /// Today's data is missing after the deadline, or predictions missed their refresh.
    Stale,
    /// Nothing trustworthy can be said.
    Unknown,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 7] =
        [Self::Pending, Self::Updating, Self::Fresh, Self::OffDay, Self::Partial, Self::Stale, Self::Unknown];

    /// The word served, such as `off_day`.
    #[must_use]
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

/// What keeps a league's data from being as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Degradation {
    /// The odds are old while games are yet to start.
    SourceStale,
    /// Predictions were not rebuilt in time after newer odds.
    PredictionsStale,
    /// Games of earlier days have no final yet.
    ResultsAwaitingSettlement,
    /// Today's data is missing or incomplete after the deadline.
    DailyOutputStale,
    /// The league was never published, and the deadline has passed.
    ReleaseMissing,
    /// The store cannot be asked.
    ReleaseUnavailable,
}

impl Degradation {
    /// Every reason.
    pub const ALL: [Self; 6] = [
        Self::SourceStale,
        Self::PredictionsStale,
        Self::ResultsAwaitingSettlement,
        Self::DailyOutputStale,
        Self::ReleaseMissing,
        Self::ReleaseUnavailable,
    ];

    /// The word served, such as `source_stale`.
    #[must_use]
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
