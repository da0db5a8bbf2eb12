//! The figures of a card: those of the summary, the calibration and the tracking of a season.

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName, Season};
use sports_ports::PortError;
use sports_usecases::analytics::{
    ModelReliability, Question, SeasonSummary, SeasonTracking, SummarisedModel, TrackedModel,
};

/// The questions whose answers have the figures.
pub(super) struct Questions {
    pub(super) summary: Question<SeasonSummary>,
    pub(super) reliability: Question<Option<ModelReliability>>,
    pub(super) tracking: Question<SeasonTracking>,
}

impl Questions {
    /// Returns everything that the figures depend on.
    pub(super) const fn key(&self) -> [ObjectHash; 3] {
        [self.summary.key(), self.reliability.key(), self.tracking.key()]
    }
}

/// The figures of one model in a season of a market.
pub(super) struct Figures {
    pub(super) model: ModelName,
    pub(super) market: Market,
    pub(super) season: Season,
    pub(super) published_at: DateTime<Utc>,
    /// `None` without a graded pick.
    pub(super) summary: Option<SummarisedModel>,
    /// `None` without a settled forecast.
    pub(super) reliability: Option<ModelReliability>,
    /// `None` without a forecast.
    pub(super) tracked: Option<TrackedModel>,
}

impl Figures {
    pub(super) async fn answered(questions: Questions, model: ModelName) -> Result<Self, PortError> {
        let Questions { summary, reliability, tracking } = questions;
        let (summary, tracking) = (summary.answer().await?, tracking.answer().await?);
        let season = summary.season;
        Ok(Self {
            model,
            market: season.archive.market,
            season: season.archive.season,
            published_at: season.published_at,
            summary: summary.models.into_iter().find(|of| of.summary.of.name() == model.as_str()),
            reliability: reliability.answer().await?,
            tracked: tracking.models.into_iter().find(|of| of.coverage.model == model),
        })
    }
}
