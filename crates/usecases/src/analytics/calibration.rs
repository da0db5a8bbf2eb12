use sports_calibration::{Calibration, ModelForecasts, SettledForecast, calibrate};
use sports_domain::{DateSpan, ModelColumn};
use sports_paging::Snapshot;
use sports_ports::PortError;
use sports_publication::ForecastSource;

use super::question::{QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;
use crate::results::snapshot;

/// The calibration of a market's models in a season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonCalibration {
    /// The season.
    pub season: PublishedSeason,
    /// An identifier of the season's content under these grading rules.
    pub snapshot: Snapshot,
    /// The dates included.
    pub span: DateSpan,
    /// The calibration per source: live and reconstructed forecasts are separate.
    pub sources: Vec<SourceCalibration>,
}

/// The calibration of models whose forecasts come from one source.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceCalibration {
    /// The source.
    pub source: ForecastSource,
    /// Each model with a probability in the season, on any date.
    pub models: Vec<(ModelColumn, Calibration)>,
}

#[derive(Debug)]
pub(super) struct CalibrationQuestion {
    pub(super) season: PublishedSeason,
    pub(super) span: DateSpan,
    /// The only source included; `None` includes both.
    pub(super) source: Option<ForecastSource>,
}

impl QuestionKind for CalibrationQuestion {
    type Answer = SeasonCalibration;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonCalibration, PortError> {
        let Self { season, span, source } = self;
        let opened = figures.open(&season).await?;
        let archive = season.archive;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let seed = snapshot.clone();
        let sources = off_thread("calibration", move || calibrated(&opened, span, source, &seed)).await?;
        Ok(SeasonCalibration { season, snapshot, span, sources })
    }
}

fn calibrated(
    season: &SeasonAnalytics,
    span: DateSpan,
    requested: Option<ForecastSource>,
    snapshot: &Snapshot,
) -> Vec<SourceCalibration> {
    let sources =
        ForecastSource::ALL.into_iter().filter(|source| requested.is_none_or(|requested| requested == *source));
    let calibrated = sources.map(|source| {
        let models: Vec<_> =
            ModelColumn::FORECASTS.into_iter().filter(|model| season.has_forecast(source, *model)).collect();
        let forecasts: Vec<_> = models.iter().map(|model| season.settled(source, *model, span)).collect();
        SourceCalibration { source, models: models.into_iter().zip(calibrate(&forecasts, snapshot.as_str())).collect() }
    });
    calibrated.filter(|calibrated| !calibrated.models.is_empty()).collect()
}

impl SeasonAnalytics {
    /// Returns true if a model has a probability for any game, played or not.
    fn has_forecast(&self, source: ForecastSource, model: ModelColumn) -> bool {
        self.games_from(source).any(|(_, game)| game.probability(model).is_some())
    }

    fn settled(&self, source: ForecastSource, model: ModelColumn, span: DateSpan) -> ModelForecasts<'static> {
        let games = self.games_from(source).filter(|(date, _)| span.contains(*date));
        let forecasts = games.filter_map(|(date, game)| SettledForecast::from_game(date, game, model)).collect();
        ModelForecasts { model: model.name(), forecasts }
    }
}
