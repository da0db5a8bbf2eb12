use sports_calibration::{Block, Calibration, Interval, ModelForecasts, SettledForecast, calibrate};
use sports_domain::paging::Snapshot;
use sports_domain::{DateSpan, FinalScore, ModelId, ModelName, ModelType};
use sports_grading::MarketGame;
use sports_ports::PortError;
use sports_publication::movement::{ForecastItem, SeasonMovement};
use sports_publication::{CountedForecasts, ForecastSource};

use super::known::{MovementAt, RecordedGame};
use super::season_figures::{ForecastGame, QuestionKind, SeasonFigures};
use super::{ForecastCounts, Horizon, ListedModels, PublishedSeason, SeasonAnalytics};
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
    /// The games of these dates by the kind of their forecast.
    pub forecast_games: ForecastCounts,
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
    /// The only forecasts included; `None` includes both sources.
    pub(super) counted: Option<CountedForecasts>,
    pub(super) models: ListedModels,
}

impl QuestionKind for CalibrationQuestion {
    type Answer = SeasonCalibration;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonCalibration, PortError> {
        let Self { season, span, counted, models } = self;
        let opened = figures.open(&season).await?;
        let forecast_games = opened.count_forecasts(span);
        let archive = season.archive;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let seed = snapshot.clone();
        let sources = off_thread("calibration", move || calibrated(&opened, span, counted, &models, &seed)).await?;
        Ok(SeasonCalibration { season, snapshot, span, sources, forecast_games })
    }
}

pub(super) fn calibrated(
    season: &SeasonAnalytics,
    span: DateSpan,
    requested: Option<CountedForecasts>,
    listed: &ListedModels,
    snapshot: &Snapshot,
) -> Vec<SourceCalibration> {
    let both = ForecastSource::ALL.map(CountedForecasts::From);
    let counted = requested.as_ref().map_or(&both[..], std::slice::from_ref);
    let calibrated = counted.iter().map(|counted| {
        let models: Vec<_> = season.forecast_models(*counted).collect();
        let settled = models.iter().map(|(name, model)| {
            let forecasts = season.settled(*counted, *model, span);
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
        SourceCalibration { source: counted.source(), horizon: None, not_recorded_here: None, models }
    });
    calibrated.filter(|calibrated| !calibrated.models.is_empty()).collect()
}

impl SeasonAnalytics {
    fn settled(&self, counted: CountedForecasts, model: ModelId, span: DateSpan) -> Vec<SettledForecast> {
        let games = self.forecast_games(counted).filter(|game| span.contains(game.key.date));
        games.filter_map(|game| SettledForecast::from_game(game.key.date, &game.market, model)).collect()
    }
}

/// The reliability diagram of one model: that of its calibration, without the comparison of models.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReliability {
    pub source: ForecastSource,
    /// The games with the model's probability.
    pub games: u32,
    /// Each block with the band that contains its rate by chance.
    pub blocks: Vec<(Block, Interval)>,
}

#[derive(Hash)]
pub(super) struct ReliabilityQuestion {
    pub(super) season: PublishedSeason,
    pub(super) model: ModelName,
}

impl QuestionKind for ReliabilityQuestion {
    /// Of live forecasts, or of those of a backtest if no live one is settled.
    type Answer = Option<ModelReliability>;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<Option<ModelReliability>, PortError> {
        let Self { season: PublishedSeason { archive, .. }, model } = self;
        let opened = figures.open(&self.season).await?;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let reliability =
            move || ForecastSource::ALL.into_iter().find_map(|source| opened.reliability(source, model, &snapshot));
        off_thread("a reliability diagram", reliability).await
    }
}

impl SeasonAnalytics {
    fn reliability(&self, source: ForecastSource, model: ModelName, snapshot: &Snapshot) -> Option<ModelReliability> {
        let forecasts =
            self.settled(CountedForecasts::From(source), self.models().id(model.as_str())?, DateSpan::default());
        // The draws of a model do not depend on the others.
        let calibration = calibrate(&[ModelForecasts { model: model.as_str(), forecasts }], snapshot.as_str()).pop()?;
        let scores = calibration.scores?;
        let blocks = scores.corp.blocks.into_iter().zip(scores.perfect.bands).collect();
        Some(ModelReliability { source, games: calibration.games, blocks })
    }
}

/// The calibration of the live forecasts that were served at a horizon.
#[derive(Hash)]
pub(super) struct HorizonQuestion {
    pub(super) season: PublishedSeason,
    pub(super) span: DateSpan,
    /// The live forecasts included.
    pub(super) counted: CountedForecasts,
    pub(super) models: ListedModels,
    pub(super) horizon: Horizon,
    /// The movement of the season; `None` for standing forecasts, which are those of the archive.
    pub(super) movement: Option<MovementAt>,
}

impl QuestionKind for HorizonQuestion {
    type Answer = SeasonCalibration;

    const IS_EXPENSIVE: bool = true;
    const READS_LOG: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonCalibration, PortError> {
        let Self { season, span, counted, models, horizon, movement } = self;
        let movement = movement.map(MovementAt::into_inner);
        let opened = figures.open(&season).await?;
        let forecast_games = opened.count_forecasts(span);
        let archive = season.archive;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let seed = snapshot.clone();
        let calibration = move || match movement {
            None => {
                let standing = calibrated(&opened, span, Some(counted), &models, &seed);
                standing.into_iter().map(|source| SourceCalibration { horizon: Some(horizon), ..source }).collect()
            }
            Some(movement) => {
                let served = Served { season: &opened, movement: &movement, horizon, span, counted };
                served.calibrated(archive.market.model_type, &models, &seed)
            }
        };
        let sources = off_thread("calibration at a horizon", calibration).await?;
        Ok(SeasonCalibration { season, snapshot, span, sources, forecast_games })
    }
}

/// The forecasts of a season that were served at a horizon.
struct Served<'a> {
    season: &'a SeasonAnalytics,
    movement: &'a SeasonMovement,
    horizon: Horizon,
    span: DateSpan,
    counted: CountedForecasts,
}

/// The forecasts of one model, and the number of games without one at the horizon.
#[derive(Default)]
struct ServedForecasts {
    settled: Vec<SettledForecast>,
    no_forecast_then: u32,
}

impl Served<'_> {
    /// Returns the live block; no block for a season without live forecasts.
    fn calibrated(&self, model_type: ModelType, listed: &ListedModels, snapshot: &Snapshot) -> Vec<SourceCalibration> {
        let models: Vec<_> = self.season.forecast_models(self.counted).collect();
        if models.is_empty() {
            return Vec::new();
        }
        let mut served: Vec<_> = models.iter().map(|_| ServedForecasts::default()).collect();
        let mut not_recorded_here = 0;
        for live in self.season.forecast_games(self.counted).filter(|live| self.span.contains(live.key.date)) {
            match RecordedGame::of(self.movement, model_type, &live) {
                Some(recorded) => self.add(model_type, &live, &recorded, models.iter().zip(&mut served)),
                None => not_recorded_here += 1,
            }
        }
        let (settled, missing): (Vec<_>, Vec<_>) =
            served.into_iter().map(|served| (served.settled, served.no_forecast_then)).unzip();
        let forecasts: Vec<_> = models
            .iter()
            .zip(settled)
            .map(|((name, _), forecasts)| ModelForecasts { model: name.as_str(), forecasts })
            .collect();
        let calibrations = calibrate(&forecasts, snapshot.as_str());
        let models = models.iter().zip(calibrations).zip(missing).map(|(((name, _), calibration), missing)| {
            CalibratedModel { model: *name, calibration, no_forecast_then: Some(missing) }
        });
        let models = models.filter(|calibrated| listed.include(calibrated.model.as_str())).collect();
        let source = ForecastSource::Live;
        let not_recorded_here = Some(not_recorded_here);
        vec![SourceCalibration { source, horizon: Some(self.horizon), not_recorded_here, models }]
    }

    /// Adds a game to the forecasts of each model.
    fn add<'s>(
        &self,
        model_type: ModelType,
        live: &ForecastGame<'_>,
        recorded: &RecordedGame<'_>,
        models: impl Iterator<Item = (&'s (ModelName, ModelId), &'s mut ServedForecasts)>,
    ) {
        let then = self.horizon.before_start().and_then(|before| {
            let instant = recorded.history.starts_at()?.checked_sub_signed(before)?;
            recorded.history.forecast_at(model_type, instant)
        });
        for ((name, id), served) in models {
            let forecast = match self.horizon.before_start() {
                Some(_) => then.filter(|item| item.probability(*name).is_some()),
                None => recorded.forecasts.iter().find(|item| item.probability(*name).is_some()).copied(),
            };
            match forecast {
                Some(item) => {
                    let settled = self.settled(model_type, live, &item, *id);
                    served.settled.extend(settled);
                }
                None if SettledForecast::from_game(live.key.date, &live.market, *id).is_some() => {
                    served.no_forecast_then += 1;
                }
                None => {}
            }
        }
    }

    /// Returns the forecast judged by the line served with it.
    fn settled(
        &self,
        model_type: ModelType,
        live: &ForecastGame<'_>,
        item: &ForecastItem<'_>,
        model: ModelId,
    ) -> Option<SettledForecast> {
        let (game, score): (_, Option<FinalScore>) = (item.slate_game()?, live.market.score());
        let mut own = Vec::new();
        game.own.write_blocks(self.season.models(), &mut own);
        let market = MarketGame::new(model_type, &game.lines, score, game.forecasts);
        SettledForecast::from_game(live.key.date, &market.with_own(&own), model)
    }
}
