use sports_domain::Season;
use sports_performance::ModelSummary;
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// How each model did in a season of a market.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonSummary {
    /// The season: the current one, or the newest while none is current.
    pub season: PublishedSeason,
    /// The current season.
    pub current: Option<Season>,
    /// One entry a model with a graded pick.
    pub models: Vec<ModelSummary>,
}

#[derive(Debug)]
pub(super) struct SummaryQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
}

impl QuestionKind for SummaryQuestion {
    type Answer = SeasonSummary;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonSummary, PortError> {
        let Self { season, current } = self;
        Ok(SeasonSummary { season, current, models: figures.open(&season).await?.summary.clone() })
    }
}
