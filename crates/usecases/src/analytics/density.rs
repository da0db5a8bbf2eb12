use sports_domain::Season;
use sports_performance::Grid;
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// The distribution of graded games over BLEND's probability and the market's.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketDensity {
    /// The season counted in `current`: the current one, or the newest if no season is current.
    pub season: PublishedSeason,
    /// The games of that season.
    pub current: SeasonsGrid,
    /// The games of up to ten earlier seasons together.
    pub previous: SeasonsGrid,
}

/// The games of several seasons in one grid.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonsGrid {
    /// The seasons counted, newest first.
    pub seasons: Vec<Season>,
    /// The games of these seasons.
    pub grid: Grid,
}

#[derive(Debug)]
pub(super) struct DensityQuestion {
    pub(super) current: PublishedSeason,
    /// Newest first.
    pub(super) previous: Vec<PublishedSeason>,
}

impl QuestionKind for DensityQuestion {
    type Answer = MarketDensity;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<MarketDensity, PortError> {
        Ok(MarketDensity {
            season: self.current,
            current: SeasonsGrid::counted(figures, &[self.current]).await?,
            previous: SeasonsGrid::counted(figures, &self.previous).await?,
        })
    }
}

impl SeasonsGrid {
    async fn counted(figures: &SeasonFigures, seasons: &[PublishedSeason]) -> Result<Self, PortError> {
        let mut grid = Grid::default();
        for season in figures.open_all(seasons).await? {
            grid.add_all(&season.grid);
        }
        Ok(Self { seasons: seasons.iter().map(|season| season.archive.season).collect(), grid })
    }
}
