use sports_performance::Tracking;
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// The composition of a season's record.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonTracking {
    /// The season.
    pub season: PublishedSeason,
    /// The counts of the season's games.
    pub tracking: Tracking,
}

#[derive(Debug)]
pub(super) struct TrackingQuestion {
    pub(super) season: PublishedSeason,
}

impl QuestionKind for TrackingQuestion {
    type Answer = SeasonTracking;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonTracking, PortError> {
        let tracking = figures.open(&self.season).await?.tracking.clone();
        Ok(SeasonTracking { season: self.season, tracking })
    }
}
