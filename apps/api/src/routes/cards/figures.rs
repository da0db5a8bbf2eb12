//! The figures of a card: those of the summary, the calibration and the tracking of a season.

use chrono::{DateTime, Utc};
use sports_calibration::{Block, Interval};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName, Season};
use sports_ports::PortError;
use sports_publication::ForecastSource;
use sports_usecases::analytics::{
    Question, SeasonCalibration, SeasonSummary, SeasonTracking, SummarisedModel, TrackedModel,
};

/// The questions whose answers have the figures.
pub(super) struct Questions {
    pub(super) summary: Question<SeasonSummary>,
    pub(super) calibration: Question<SeasonCalibration>,
    pub(super) tracking: Question<SeasonTracking>,
}

impl Questions {
    /// Returns everything that the figures depend on.
    pub(super) const fn key(&self) -> [ObjectHash; 3] {
        [self.summary.key(), self.calibration.key(), self.tracking.key()]
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
    pub(super) strip: Option<Strip>,
    /// `None` without a forecast.
    pub(super) tracked: Option<TrackedModel>,
}

/// The reliability diagram of a model: of its live forecasts, or of those of a backtest if it has no live ones.
pub(super) struct Strip {
    pub(super) source: ForecastSource,
    pub(super) games: u32,
    /// Each block with the band that contains its rate by chance.
    pub(super) blocks: Vec<(Block, Interval)>,
}

impl Figures {
    pub(super) async fn answered(questions: Questions, model: ModelName) -> Result<Self, PortError> {
        let Questions { summary, calibration, tracking } = questions;
        let (summary, calibration, tracking) =
            (summary.answer().await?, calibration.answer().await?, tracking.answer().await?);
        let season = summary.season;
        Ok(Self {
            model,
            market: season.archive.market,
            season: season.archive.season,
            published_at: season.published_at,
            summary: summary.models.into_iter().find(|of| of.summary.of.name() == model.as_str()),
            strip: strip(&calibration, model),
            tracked: tracking.models.into_iter().find(|of| of.coverage.model == model),
        })
    }
}

fn strip(calibration: &SeasonCalibration, model: ModelName) -> Option<Strip> {
    let of_source = |source: ForecastSource| {
        let found = calibration.sources.iter().find(|of| of.source == source)?;
        let model = &found.models.iter().find(|of| of.model == model)?.calibration;
        let scores = model.scores.as_ref()?;
        let blocks = scores.corp.blocks.iter().copied().zip(scores.perfect.bands.iter().copied()).collect();
        Some(Strip { source, games: model.games, blocks })
    };
    of_source(ForecastSource::Live).or_else(|| of_source(ForecastSource::WalkForward))
}
