use sports_domain::{ModelName, Season};
use sports_performance::Grid;
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};
use crate::record::off_thread;

/// The distribution of graded games over a model's probability and the market's.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketDensity {
    pub model: ModelName,
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

#[derive(Hash)]
pub(super) struct DensityQuestion {
    pub(super) current: PublishedSeason,
    /// Newest first.
    pub(super) previous: Vec<PublishedSeason>,
    pub(super) model: ModelName,
}

impl QuestionKind for DensityQuestion {
    type Answer = MarketDensity;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<MarketDensity, PortError> {
        let Self { current: season, previous, model } = self;
        let current = SeasonsGrid::counted(figures, &[season], model).await?;
        let previous = SeasonsGrid::counted(figures, &previous, model).await?;
        Ok(MarketDensity { model, season, current, previous })
    }
}

impl SeasonsGrid {
    async fn counted(
        figures: &SeasonFigures,
        seasons: &[PublishedSeason],
        model: ModelName,
    ) -> Result<Self, PortError> {
        let opened = figures.open_all(seasons).await?;
        let grids = move || {
            let mut sum = Grid::default();
            opened.iter().filter_map(|season| season.grid_of(model)).for_each(|grid| sum.add_all(grid));
            sum
        };
        let grid = off_thread("the grid of several seasons", grids).await?;
        Ok(Self { seasons: seasons.iter().map(|season| season.archive.season).collect(), grid })
    }
}
