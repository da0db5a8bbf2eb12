use sports_performance::{ModelCoverage, Tracking};
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// The composition of a season's record.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonTracking {
    pub season: PublishedSeason,
    /// The counts of the season's games.
    pub tracking: Tracking,
    /// The games of each model with a probability, in the order of models.
    pub models: Vec<ModelCoverage>,
}

#[derive(Hash)]
pub(super) struct TrackingQuestion {
    pub(super) season: PublishedSeason,
}

impl QuestionKind for TrackingQuestion {
    type Answer = SeasonTracking;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonTracking, PortError> {
        let opened = figures.open(&self.season).await?;
        let (tracking, models) = (opened.tracking.clone(), opened.coverage.clone());
        Ok(SeasonTracking { season: self.season, tracking, models })
    }
}
