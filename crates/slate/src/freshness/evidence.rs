use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::ModelType;

/// The known facts about a league's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The store has been unavailable for so long that the last known data is not reliable.
    Unreadable,
    /// Nothing was ever published for the league.
    NeverPublished,
    /// Data is published.
    Published(Box<PublishedEvidence>),
}

/// A league's published data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedEvidence {
    /// The last run that completed.
    pub completed_run: Option<RunEvidence>,
    /// The slate of the last run that began, whether or not it has completed.
    pub run_begun_for: Option<NaiveDate>,
    pub odds: Option<OddsEvidence>,
    /// Predictions, indexed in the order of [`ModelType::ALL`].
    pub predictions: [Option<PredictionsEvidence>; 3],
    /// The slate dates of the results archives of the release's season, indexed in the order of [`ModelType::ALL`].
    pub results: [Option<NaiveDate>; 3],
    /// The earliest game of that season without final, cancellation or postponement.
    pub oldest_unsettled: Option<NaiveDate>,
    /// `true` if a game of today has not started.
    pub games_left_today: bool,
}

/// A completed run of the publisher's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEvidence {
    /// The date of its slate.
    pub slate_date: NaiveDate,
    /// `true` if it found games to serve, today or later in the league's week.
    pub active_slate: bool,
}

/// Published odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OddsEvidence {
    /// The date of their slate.
    pub slate_date: NaiveDate,
    /// The time of the source's data.
    pub source_as_of: DateTime<Utc>,
}

/// One market's published predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionsEvidence {
    /// The date of their slate.
    pub slate_date: NaiveDate,
    /// The time of the sources' data.
    pub source_as_of: DateTime<Utc>,
    /// The time at which the first odds newer than these predictions were published.
    pub newer_odds_since: Option<DateTime<Utc>>,
}

impl PublishedEvidence {
    pub fn predictions_of(&self, model_type: ModelType) -> Option<PredictionsEvidence> {
        index(model_type).and_then(|index| self.predictions[index])
    }

    /// Returns the slate date of one market's results.
    pub fn results_of(&self, model_type: ModelType) -> Option<NaiveDate> {
        index(model_type).and_then(|index| self.results[index])
    }
}

fn index(model_type: ModelType) -> Option<usize> {
    ModelType::ALL.iter().position(|known| *known == model_type)
}
