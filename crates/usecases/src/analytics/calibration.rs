use sports_calibration::{Calibration, ModelForecasts, SettledForecast, calibrate};
use sports_domain::{DateSpan, ModelId, ModelName};
use sports_paging::Snapshot;
use sports_ports::PortError;
use sports_publication::ForecastSource;

use super::question::{QuestionKind, SeasonFigures};
use super::{Horizon, ListedModels, PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;
use crate::results::snapshot;

/// The calibration of a market's models in a season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonCalibration {
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
    pub source: ForecastSource,
    /// The horizon of the forecasts, if one was requested.
    pub horizon: Option<Horizon>,
    /// The number of live games whose forecast no release of this log made. `None` without a horizon and for standing
    /// forecasts, which count them.
    pub not_recorded_here: Option<u32>,
    /// Each listed model with a probability in the season, on any date. Holm's correction is over all models of the
    /// season, listed or not.
    pub models: Vec<CalibratedModel>,
}

/// The calibration of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibratedModel {
    pub model: ModelName,
    pub calibration: Calibration,
    /// The number of games of the standing forecasts without a probability at the horizon; `None` in the cases of
    /// [`SourceCalibration::not_recorded_here`].
    pub no_forecast_then: Option<u32>,
}

#[derive(Hash)]
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

pub(super) fn calibrated(
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
        let calibrations = models.iter().zip(calibrate(&forecasts, snapshot.as_str()));
        let calibrations = calibrations.map(|((model, _), calibration)| CalibratedModel {
            model: *model,
            calibration,
            no_forecast_then: None,
        });
        let models = calibrations.filter(|calibrated| listed.include(calibrated.model.as_str())).collect();
        SourceCalibration { source, horizon: None, not_recorded_here: None, models }
    });
    calibrated.filter(|calibrated| !calibrated.models.is_empty()).collect()
}

impl SeasonAnalytics {
    fn settled(&self, source: ForecastSource, model: ModelId, span: DateSpan) -> Vec<SettledForecast> {
        let games = self.games_from(source).filter(|(date, _)| span.contains(*date));
        games.filter_map(|(date, game)| SettledForecast::from_game(date, &game, model)).collect()
    }
}
