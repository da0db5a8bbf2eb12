use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use sports_calibration::{Interval, mean_break_even, wilson};
use sports_domain::{ModelName, ModelSet, Season, TeamSlug};
use sports_performance::{
    AverageCurve, Curves, Followed, FollowedGame, Grid, ModelSummary, SeasonGame, TeamForm, followed_games,
    historical_average, next_game_dates, picked_prices, staked_games,
};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::CountedForecasts;

use super::market_seasons::roi_interval;
use super::season_figures::{QuestionKind, SeasonFigures};
use super::{ForecastCounts, ListedModels, PublishedSeason, SeasonAnalytics};
use crate::chosen_models::MissingModel;
use crate::record::off_thread;

/// The record of each model in a season of a market.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonSummary {
    /// The requested season; by default the current one, or the newest if no season is current.
    pub season: PublishedSeason,
    pub current: Option<Season>,
    /// One entry per listed model with a graded pick.
    pub models: Vec<SummarisedModel>,
    /// The season's games by the kind of their forecast.
    pub forecast_games: ForecastCounts,
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
    /// The record of who takes each pick.
    pub picks: FollowedRecord,
    /// The record of who makes each bet with value.
    pub bets: FollowedRecord,
}

/// The season of who takes each pick of a model, or makes each of its bets, with one unit where the side has a recorded price.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FollowedRecord {
    pub ends: Ends,
    /// The units staked; a push returns its unit.
    pub staked: u32,
    /// The profit in units.
    pub units: f64,
    /// Wilson's 95 percent interval of the win rate, from 0 to 1.
    pub win_rate: Option<Interval>,
    /// The win rate at which the decided games with a price break even, from 0 to 1.
    pub break_even: Option<f64>,
    /// The 95 percent interval of the return, by resampling dates.
    pub roi: Option<Interval>,
    /// The book's favourite in those of these games that have one.
    pub baseline: Ends,
}

/// How the games ended in which a side was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    pub won: u32,
    pub lost: u32,
    pub pushed: u32,
}

impl Ends {
    const fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.pushed += 1,
        }
    }
}

impl FollowedRecord {
    fn of(season: &SeasonRef, name: &str, games: impl Iterator<Item = FollowedGame>) -> Self {
        let games: Vec<_> = games.collect();
        let mut record = Self::default();
        for game in &games {
            record.ends.add(game.won);
            if let Some(favourite) = game.favourite {
                record.baseline.add(favourite.won);
            }
            if let Some(profit) = game.profit() {
                record.staked += 1;
                record.units += profit;
            }
        }
        let decided = games.iter().filter(|game| game.won.is_some());
        record.win_rate = wilson(record.ends.won, record.ends.lost);
        record.break_even = mean_break_even(decided.filter_map(|game| game.price));
        record.roi = roi_interval(season, name, games.iter().filter_map(|game| Some((game.date, game.profit()?))));
        record
    }

    /// Returns the profit per unit staked; `None` without a stake.
    pub fn mean_return(&self) -> Option<f64> {
        (self.staked > 0).then(|| self.units / f64::from(self.staked))
    }
}

impl SummarisedModel {
    fn in_season(season: &SeasonRef, summary: ModelSummary, games: &[SeasonGame<'_>], models: &ModelSet) -> Self {
        let (of, all) = (summary.of, summary.season.all);
        let followed = |followed| FollowedRecord::of(season, of.name(), followed_games(games, models, of, followed));
        Self {
            summary,
            win_rate: wilson(all.wins, all.losses),
            break_even: mean_break_even(picked_prices(games, models, of)),
            roi: roi_interval(season, of.name(), staked_games(games, models, of)),
            picks: followed(Followed::Picks),
            bets: followed(Followed::Bets),
        }
    }
}

#[derive(Hash)]
pub(super) struct SummaryQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
    /// The only forecasts that count; `None` counts all.
    pub(super) counted: Option<CountedForecasts>,
    pub(super) models: ListedModels,
}

impl QuestionKind for SummaryQuestion {
    type Answer = SeasonSummary;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonSummary, PortError> {
        let Self { season, current, counted, models } = self;
        let (opened, forecast_games) = figures.open_counted(&season, counted).await?;
        let summarise = move || summarised(&season.archive, &opened, &models);
        let models = off_thread("the summary of a season", summarise).await?;
        Ok(SeasonSummary { season, current, models, forecast_games })
    }
}

fn summarised(season: &SeasonRef, opened: &SeasonAnalytics, models: &ListedModels) -> Vec<SummarisedModel> {
    let games: Vec<_> = opened.season_games().collect();
    let listed = opened.summary.iter().filter(|summary| models.include(summary.of.name()));
    listed.map(|summary| SummarisedModel::in_season(season, *summary, &games, &opened.models)).collect()
}

/// The models' four-week curves of every season of a market.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketCurves {
    /// The newest season.
    pub latest: PublishedSeason,
    /// Each season and its curves, newest first.
    pub seasons: Vec<(PublishedSeason, Curves)>,
    /// The mean of the seasons before the current one, for each model that has a point in them.
    pub average: Vec<AverageCurve>,
}

#[derive(Hash)]
pub(super) struct CurvesQuestion {
    pub(super) latest: PublishedSeason,
    pub(super) newest_first: Vec<PublishedSeason>,
    /// The current season, or the newest if no season is current.
    pub(super) answering: Season,
    pub(super) models: ListedModels,
}

impl QuestionKind for CurvesQuestion {
    type Answer = MarketCurves;

    async fn answer(self, figures: &SeasonFigures) -> Result<MarketCurves, PortError> {
        let opened = figures.open_all(&self.newest_first).await?;
        let curves = opened.iter().map(|season| season.curves.listing(|model| self.models.include(model.as_str())));
        let seasons: Vec<_> = self.newest_first.into_iter().zip(curves).collect();
        let earlier = seasons.iter().filter(|(season, _)| season.archive.season < self.answering);
        let average = historical_average(&earlier.map(|(_, curves)| curves).collect::<Vec<_>>());
        Ok(MarketCurves { latest: self.latest, seasons, average })
    }
}

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
    /// The note on a model without a value in these seasons.
    pub missing: Option<MissingModel>,
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
    /// The models that the reader may not see.
    pub(super) hidden: Vec<ModelName>,
}

impl QuestionKind for DensityQuestion {
    type Answer = MarketDensity;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<MarketDensity, PortError> {
        let Self { current: season, previous, model, hidden } = self;
        let all: Vec<_> = [season].into_iter().chain(previous).collect();
        let opened = figures.open_all(&all).await?;
        let missing = MissingModel::among(model, opened.iter().flat_map(|season| season.covered_models()), &hidden);
        let current = SeasonsGrid::counted(&all[..1], &opened[..1], model).await?;
        let previous = SeasonsGrid::counted(&all[1..], &opened[1..], model).await?;
        Ok(MarketDensity { model, season, current, previous, missing })
    }
}

impl SeasonsGrid {
    async fn counted(
        seasons: &[PublishedSeason],
        opened: &[Arc<SeasonAnalytics>],
        model: ModelName,
    ) -> Result<Self, PortError> {
        let opened = opened.to_vec();
        let grids = move || {
            let mut sum = Grid::default();
            opened.iter().filter_map(|season| season.grid_of(model)).for_each(|grid| sum.add_all(grid));
            sum
        };
        let grid = off_thread("the grid of several seasons", grids).await?;
        Ok(Self { seasons: seasons.iter().map(|season| season.archive.season).collect(), grid })
    }
}

/// The record of each team in a season of a market, and the date of its next game.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonForm {
    /// The current season, or the newest if no season is current.
    pub season: PublishedSeason,
    pub current: Option<Season>,
    /// Teams with a decided game, best first.
    pub teams: Vec<TeamForm>,
    /// The date of each team's earliest game without a final from today on, if known.
    pub next_games: BTreeMap<TeamSlug, NaiveDate>,
}

#[derive(Hash)]
pub(super) struct FormQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
    /// The Eastern date of today.
    pub(super) today: NaiveDate,
    /// Future games that the season's archive does not contain, once per team.
    pub(super) predicted: Vec<(TeamSlug, NaiveDate)>,
}

impl QuestionKind for FormQuestion {
    type Answer = SeasonForm;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonForm, PortError> {
        let opened = figures.open(&self.season).await?;
        let predicted = self.predicted.iter().map(|(team, date)| (team, *date));
        let next_games = next_game_dates(opened.unsettled_by_team().chain(predicted), self.today);
        Ok(SeasonForm {
            season: self.season,
            current: self.current,
            teams: opened.form.clone(),
            next_games: next_games.into_iter().map(|(team, date)| (team.clone(), date)).collect(),
        })
    }
}
