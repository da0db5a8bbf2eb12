use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::ModelType;

/// What is known of a league's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The store has not answered for too long to trust what was last seen.
    Unreadable,
    /// Nothing was ever published for the league.
    NeverPublished,
    /// This is published.
    Published(Box<PublishedEvidence>),
}

/// What a league has published.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedEvidence {
    /// The last run that completed.
    pub completed_run: Option<RunEvidence>,
    /// The slate of the last run that began, whether or not it has completed.
    pub run_begun_for: Option<NaiveDate>,
    /// The odds.
    pub odds: Option<OddsEvidence>,
    /// Predictions, one place a model type in the order of [`ModelType::ALL`].
    pub predictions: [Option<PredictionsEvidence>; 3],
    /// The slate dates of the results archives of the release's season, likewise.
    pub results: [Option<NaiveDate>; 3],
    /// The earliest game of that season without final, cancellation or postponement.
    pub oldest_unsettled: Option<NaiveDate>,
    /// Whether a game of today has yet to start.
    pub games_left_today: bool,
}

/// A completed run of the publisher's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEvidence {
    /// The slate it was for.
    pub slate_date: NaiveDate,
    /// Whether it found games to serve, today or later in the league's week.
    pub active_slate: bool,
}

/// Published odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OddsEvidence {
    /// The slate they are for.
    pub slate_date: NaiveDate,
    /// As of when their source spoke.
    pub source_as_of: DateTime<Utc>,
}

/// One market's published predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionsEvidence {
    /// The slate they are for.
    pub slate_date: NaiveDate,
    /// As of when their sources spoke.
    pub source_as_of: DateTime<Utc>,
    /// When the first odds newer than these predictions were published.
    pub newer_odds_since: Option<DateTime<Utc>>,
}

impl PublishedEvidence {
    /// One market's predictions.
    #[must_use]
    pub fn predictions_of(&self, model_type: ModelType) -> Option<PredictionsEvidence> {
        place(model_type).and_then(|place| self.predictions[place])
    }

    /// The slate date of one market's results.
    #[must_use]
    pub fn results_of(&self, model_type: ModelType) -> Option<NaiveDate> {
        place(model_type).and_then(|place| self.results[place])
    }
}

fn place(model_type: ModelType) -> Option<usize> {
    ModelType::ALL.iter().position(|known| *known == model_type)
}
