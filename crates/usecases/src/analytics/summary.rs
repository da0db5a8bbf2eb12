use sports_calibration::{Interval, mean_break_even, wilson};
use sports_domain::{ModelSet, Season};
use sports_performance::{ModelSummary, SeasonGame, picked_prices, staked_games};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;

use super::question::{QuestionKind, SeasonFigures};
use super::uncertainty::roi_interval;
use super::{ListedModels, PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;

/// The record of each model in a season of a market.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonSummary {
    /// The requested season; by default the current one, or the newest if no season is current.
    pub season: PublishedSeason,
    pub current: Option<Season>,
    /// One entry per listed model with a graded pick.
    pub models: Vec<SummarisedModel>,
}

/// The record of a model, with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SummarisedModel {
    /// The model's record.
    pub summary: ModelSummary,
    /// Wilson's 95 percent interval of the season's win rate, from 0 to 1.
    pub win_rate: Option<Interval>,
    /// The win rate at which the picks with recorded prices break even, from 0 to 1.
    pub break_even: Option<f64>,
    /// The 95 percent interval of the return on the season's stakes, by resampling dates.
    pub roi: Option<Interval>,
}

impl SummarisedModel {
    fn in_season(season: &SeasonRef, summary: ModelSummary, games: &[SeasonGame<'_>], models: &ModelSet) -> Self {
        let (of, all) = (summary.of, summary.season.all);
        Self {
            summary,
            win_rate: wilson(all.wins, all.losses),
            break_even: mean_break_even(picked_prices(games, models, of)),
            roi: roi_interval(season, of.name(), staked_games(games, models, of)),
        }
    }
}

#[derive(Hash)]
pub(super) struct SummaryQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
    pub(super) models: ListedModels,
}

impl QuestionKind for SummaryQuestion {
    type Answer = SeasonSummary;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonSummary, PortError> {
        let Self { season, current, models } = self;
        let opened = figures.open(&season).await?;
        let summarise = move || summarised(&season.archive, &opened, &models);
        Ok(SeasonSummary { season, current, models: off_thread("the summary of a season", summarise).await? })
    }
}

fn summarised(season: &SeasonRef, opened: &SeasonAnalytics, models: &ListedModels) -> Vec<SummarisedModel> {
    let games: Vec<_> = opened.season_games().collect();
    let listed = opened.summary.iter().filter(|summary| models.include(summary.of.name()));
    listed.map(|summary| SummarisedModel::in_season(season, *summary, &games, &opened.models)).collect()
}
