use sports_calibration::{Calibration, ModelForecasts, SettledForecast, calibrate};
use sports_domain::{DateSpan, ModelId, ModelName};
use sports_paging::Snapshot;
use sports_ports::PortError;
use sports_publication::ForecastSource;

use super::question::{QuestionKind, SeasonFigures};
use super::{ListedModels, PublishedSeason, SeasonAnalytics};
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
    /// Each listed model with a probability in the season, on any date. Holm's correction is over all models of the
    /// season, listed or not.
    pub models: Vec<(ModelName, Calibration)>,
}

#[derive(Debug)]
pub(super) struct CalibrationQuestion {
    pub(super) season: PublishedSeason,
    pub(super) span: DateSpan,
    /// The only source included; `None` includes both.
    pub(super) source: Option<ForecastSource>,
    pub(super) models: ListedModels,
}

impl QuestionKind for CalibrationQuestion {
    type Answer = SeasonCalibration;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonCalibration, PortError> {
        let Self { season, span, source, models } = self;
        let opened = figures.open(&season).await?;
        let archive = season.archive;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let seed = snapshot.clone();
        let sources = off_thread("calibration", move || calibrated(&opened, span, source, &models, &seed)).await?;
        Ok(SeasonCalibration { season, snapshot, span, sources })
    }
}

fn calibrated(
    season: &SeasonAnalytics,
    span: DateSpan,
    requested: Option<ForecastSource>,
    listed: &ListedModels,
    snapshot: &Snapshot,
) -> Vec<SourceCalibration> {
    let sources =
        ForecastSource::ALL.into_iter().filter(|source| requested.is_none_or(|requested| requested == *source));
    let calibrated = sources.map(|source| {
        let forecast = season.models.forecasts().filter(|model| season.has_forecast(source, *model));
        let models: Vec<_> = forecast.map(|model| (season.models.name(model), model)).collect();
        let settled = models.iter().map(|(name, model)| {
            let forecasts = season.settled(source, *model, span);
            ModelForecasts { model: name.as_str(), forecasts }
        });
        let forecasts: Vec<_> = settled.collect();
        let calibrations = models.iter().map(|(name, _)| *name).zip(calibrate(&forecasts, snapshot.as_str()));
        SourceCalibration { source, models: calibrations.filter(|(name, _)| listed.include(name.as_str())).collect() }
    });
    calibrated.filter(|calibrated| !calibrated.models.is_empty()).collect()
}

impl SeasonAnalytics {
    /// Returns true if a model has a probability for any game, played or not.
    fn has_forecast(&self, source: ForecastSource, model: ModelId) -> bool {
        self.games_from(source).any(|(_, game)| game.probability(model).is_some())
    }

    fn settled(&self, source: ForecastSource, model: ModelId, span: DateSpan) -> Vec<SettledForecast> {
        let games = self.games_from(source).filter(|(date, _)| span.contains(*date));
        games.filter_map(|(date, game)| SettledForecast::from_game(date, &game, model)).collect()
    }
}
