use sports_domain::{GameKey, ModelType};
use sports_transparency::RecordedEnding;

/// The change that a correction made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordChange {
    /// A final got another score, or was taken back.
    FinalCorrected { before: RecordedEnding, after: RecordedEnding },
    /// A status changed, and no score.
    StatusChanged { before: RecordedEnding, after: RecordedEnding },
    /// The game got another start.
    Rescheduled {
        /// The game under its start before.
        before: GameKey,
    },
    /// The forecast of a market was withdrawn.
    ForecastWithdrawn { model_type: ModelType },
}

/// The kind of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectionKind {
    /// A final got another score, or was taken back.
    FinalCorrected,
    /// A status changed, and no score.
    StatusChanged,
    /// The game got another start.
    Rescheduled,
    /// The forecast of a market was withdrawn.
    ForecastWithdrawn,
}

impl CorrectionKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::FinalCorrected, Self::StatusChanged, Self::Rescheduled, Self::ForecastWithdrawn];

    /// Returns the word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::FinalCorrected => "final_corrected",
            Self::StatusChanged => "status_changed",
            Self::Rescheduled => "rescheduled",
            Self::ForecastWithdrawn => "forecast_withdrawn",
        }
    }
}

impl RecordChange {
    pub const fn kind(&self) -> CorrectionKind {
        match self {
            Self::FinalCorrected { .. } => CorrectionKind::FinalCorrected,
            Self::StatusChanged { .. } => CorrectionKind::StatusChanged,
            Self::Rescheduled { .. } => CorrectionKind::Rescheduled,
            Self::ForecastWithdrawn { .. } => CorrectionKind::ForecastWithdrawn,
        }
    }

    /// Returns the market of a withdrawn forecast.
    pub const fn model_type(&self) -> Option<ModelType> {
        match self {
            Self::ForecastWithdrawn { model_type } => Some(*model_type),
            Self::FinalCorrected { .. } | Self::StatusChanged { .. } | Self::Rescheduled { .. } => None,
        }
    }
}
