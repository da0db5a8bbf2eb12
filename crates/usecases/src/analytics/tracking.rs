use sports_performance::Tracking;
use sports_ports::PortError;

use super::ArchivedSeason;
use super::question::{Asked, SeasonFigures};

/// What a season's record is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonTracking {
    /// The season.
    pub season: ArchivedSeason,
    /// Its games, counted.
    pub tracking: Tracking,
}

#[derive(Debug)]
pub(super) struct AskedTracking {
    pub(super) season: ArchivedSeason,
}

impl Asked for AskedTracking {
    type Answer = SeasonTracking;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonTracking, PortError> {
        let tracking = figures.open(&self.season).await?.tracking.clone();
        Ok(SeasonTracking { season: self.season, tracking })
    }
}
