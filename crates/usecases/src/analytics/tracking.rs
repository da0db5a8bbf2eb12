//! The composition of a season's record, and the forecasts in it that others can prove.

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelName, Sport, eastern_instant};
use sports_performance::{ModelCoverage, Tracking};
use sports_ports::PortError;
use sports_publication::CountedForecasts;

use super::season_figures::{QuestionKind, SeasonFigures};
use super::{ForecastCounts, ListedModels, PublishedSeason, SeasonAnalytics};
use crate::record::{CommitmentTimes, EvidentTrees};

/// The composition of a season's record.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonTracking {
    pub season: PublishedSeason,
    /// The counts of the season's games.
    pub tracking: Tracking,
    /// The games of each model with a probability, in the order of models.
    pub models: Vec<TrackedModel>,
    /// The season's games by the kind of their forecast.
    pub forecast_games: ForecastCounts,
}

/// The games of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrackedModel {
    /// The games with a probability of the model.
    pub coverage: ModelCoverage,
    /// The games among them whose forecast an entry of this log published before the start.
    pub recorded: u32,
    /// The games among these whose commitment a cosigned or timestamped checkpoint had before the start; `None` if the checkpoints
    /// could not be listed.
    pub proven: Option<u32>,
}

/// The checkpoints from which commitments are evident.
#[derive(Hash)]
pub(super) enum Evidence {
    /// The record has no tree yet.
    NoTree,
    Trees(EvidentTrees),
    /// The checkpoints could not be listed.
    Unknown,
}

impl Evidence {
    /// Reads the times by which others had the tree; `None` if the checkpoints could not be listed.
    pub(super) async fn times(&self) -> Result<Option<CommitmentTimes>, PortError> {
        Ok(match self {
            Self::NoTree => Some(CommitmentTimes::default()),
            Self::Trees(trees) => Some(trees.read().await?),
            Self::Unknown => None,
        })
    }
}

#[derive(Hash)]
pub(super) struct TrackingQuestion {
    pub(super) season: PublishedSeason,
    /// The only forecasts that count; `None` counts all games.
    pub(super) counted: Option<CountedForecasts>,
    /// The models that are listed.
    pub(super) models: ListedModels,
    /// The own models and the times of their declarations: no commitment from before has their forecasts.
    pub(super) declared: Vec<(ModelName, DateTime<Utc>)>,
    pub(super) evidence: Evidence,
}

impl QuestionKind for TrackingQuestion {
    type Answer = SeasonTracking;

    const READS_LOG: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonTracking, PortError> {
        let (opened, forecast_games) = figures.open_counted(&self.season, self.counted).await?;
        let times = self.evidence.times().await?;
        let listed = opened.coverage.iter().filter(|coverage| self.models.include(coverage.model.as_str()));
        let models = listed.map(|coverage| self.tracked(*coverage, &opened, times.as_ref())).collect();
        Ok(SeasonTracking { season: self.season, tracking: opened.tracking.clone(), models, forecast_games })
    }
}

impl TrackingQuestion {
    fn tracked(
        &self,
        coverage: ModelCoverage,
        opened: &SeasonAnalytics,
        times: Option<&CommitmentTimes>,
    ) -> TrackedModel {
        let (sport, name) = (self.season.archive.market.sport, coverage.model);
        let declared = self.declared.iter().find(|(model, _)| *model == name).map(|(_, at)| *at);
        let model = opened.models().id(name.as_str());
        let recordings =
            || opened.recordings().filter(|(_, game, _)| model.is_some_and(|model| game.probability(model).is_some()));
        let is_proven = |times: &CommitmentTimes, start, at| declared <= Some(at) && times.precede(start, at);
        let proven =
            |times| recordings().filter(|(key, _, at)| is_proven(times, earliest_start(sport, key), *at)).count();
        TrackedModel {
            coverage,
            recorded: count(recordings().count()),
            proven: times.map(|times| count(proven(times))),
        }
    }
}

/// Returns the start of a game; without a time the earliest one that is usual.
pub(super) fn earliest_start(sport: Sport, key: &GameKey) -> DateTime<Utc> {
    eastern_instant(key.date, key.time.unwrap_or_else(|| sport.earliest_start()))
}

/// A season has far fewer games.
fn count(games: usize) -> u32 {
    u32::try_from(games).unwrap_or(u32::MAX)
}
