use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, LineColumn, ModelName, ModelType, Season};

use crate::{Opening, RecordedEnding};

/// A row of results as the service answers it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    pub model_type: ModelType,
    /// The season in whose results the row is.
    pub season: Season,
    pub game: GameKey,
    /// The release that a live row names; `None` for a row without a live forecast.
    pub live_run: Option<String>,
    /// The lines and prices, by column.
    pub lines: BTreeMap<LineColumn, f64>,
    /// The probabilities by model, without IMPLIED.
    pub probabilities: BTreeMap<ModelName, f64>,
    /// The final or the status.
    pub ending: RecordedEnding,
    /// Its other statements.
    pub statements: RowStatements,
}

impl ResultRow {
    /// Returns the line or price in the column of this name.
    pub(crate) fn line(&self, name: &str) -> Option<f64> {
        self.lines.iter().find(|(column, _)| column.name() == name).map(|(_, number)| *number)
    }
}

/// The statements of a row of results about the origin of its forecast and about its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowStatements {
    /// The season that the row names.
    pub season: String,
    /// The publication of the forecast.
    pub published_at: Option<DateTime<Utc>>,
    /// The method behind the probabilities.
    pub probability_source: Option<String>,
    /// The outcome column of the market: `true` if the positive side won.
    pub positive_won: Option<bool>,
    /// `true` if the final is exactly on the line.
    pub push: Option<bool>,
    /// `true` if a model was graded.
    pub graded: bool,
    /// The reason for which none was.
    pub ungraded_reason: Option<String>,
}

/// An opening as the service answers it, of the leaf at an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedOpening {
    /// The index of the leaf.
    pub index: u64,
    pub opening: Opening,
}
