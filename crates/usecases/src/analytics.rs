//! Figures over a market's graded seasons.

mod calibration;
mod curves;
mod density;
mod form;
mod leaderboard;
mod listed_models;
mod market_seasons;
mod models;
mod question;
mod replay;
mod season_figures;
mod summary;
mod tracking;
mod uncertainty;

use std::sync::Arc;

use sports_domain::{DateSpan, Market, ModelName, Season, Sport, eastern_date};
use sports_ports::Clock;
use sports_ports::seasons::SeasonViews;
use sports_publication::ForecastSource;
use sports_strategies::{Accounting, Rule};

use crate::record::{CurrentGenerations, NotReadYet};
use crate::results::ResultsError;

pub use calibration::{SeasonCalibration, SourceCalibration};
pub use curves::MarketCurves;
pub use density::{MarketDensity, SeasonsGrid};
pub use form::SeasonForm;
pub use leaderboard::{SeasonLeaderboard, StrategyRecord};
pub use listed_models::ListedModels;
pub use market_seasons::PublishedSeason;
pub use models::{LeagueModel, LeagueModels, ModelGames, ModelKind};
pub use question::Question;
pub use replay::{ExcludedGame, ExcludedGames, PlacedBet, SeasonReplay};
pub use season_figures::{AnalyseSeasons, SeasonAnalytics};
pub use summary::{SeasonSummary, SummarisedModel};
pub use tracking::SeasonTracking;

use calibration::CalibrationQuestion;
use curves::CurvesQuestion;
use density::DensityQuestion;
use form::FormQuestion;
use leaderboard::LeaderboardQuestion;
use market_seasons::MarketSeasons;
use models::ModelsQuestion;
use question::SeasonFigures;
use replay::ReplayQuestion;
use summary::SummaryQuestion;
use tracking::TrackingQuestion;

/// Queries of a market's graded games. Each query returns a [`Question`] with its dependencies at once; seasons are
/// opened only when the answer is computed.
#[derive(Clone)]
pub struct Analytics {
    generations: Arc<CurrentGenerations>,
    figures: SeasonFigures,
    clock: Arc<dyn Clock>,
}

impl Analytics {
    /// Creates the queries over the current generations; `views` opens season archives.
    #[must_use]
    pub fn new(
        generations: Arc<CurrentGenerations>,
        views: Arc<dyn SeasonViews<SeasonAnalytics>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { generations, figures: SeasonFigures::new(views), clock }
    }

    /// Returns each model's record in a season, by default the current one.
    ///
    /// # Errors
    ///
    /// [`ResultsError`] if the league was not read yet or the market has no archive, as for every query;
    /// [`ResultsError::NoSuchSeason`] if the season is not published.
    pub fn summary(
        &self,
        market: Market,
        season: Option<Season>,
        models: ListedModels,
    ) -> Result<Question<SeasonSummary>, ResultsError> {
        let seasons = self.seasons(market)?;
        let (season, current) = (seasons.named_or_default(season)?, seasons.current());
        let question = SummaryQuestion { season, current, models: seasons.league().listed(models)? };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns each team's record in the current season, and the date of its next game.
    ///
    /// # Errors
    ///
    /// [`ResultsError`], as for every query.
    pub fn team_form(&self, market: Market) -> Result<Question<SeasonForm>, ResultsError> {
        let seasons = self.seasons(market)?;
        let question = FormQuestion {
            season: seasons.default_season(),
            current: seasons.current(),
            today: eastern_date(self.clock.now()),
            predicted: seasons.predicted_elsewhere(),
        };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the models' four-week curves of every season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::team_form`].
    pub fn rolling(&self, market: Market, models: ListedModels) -> Result<Question<MarketCurves>, ResultsError> {
        let seasons = self.seasons(market)?;
        let question = CurvesQuestion {
            latest: seasons.latest(),
            newest_first: seasons.newest_first(),
            answering: seasons.default_season().archive.season,
            models: seasons.league().listed(models)?,
        };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the distribution of graded games over a model's probability and the market's, in the current season and
    /// in earlier ones. The default is the headline model.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::team_form`].
    pub fn density(&self, market: Market, model: Option<ModelName>) -> Result<Question<MarketDensity>, ResultsError> {
        let seasons = self.seasons(market)?;
        let model = seasons.league().model(model)?;
        let question = DensityQuestion { current: seasons.default_season(), previous: seasons.previous(), model };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the composition of a season's record, by default of the current season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::summary`].
    pub fn model_tracking(
        &self,
        market: Market,
        season: Option<Season>,
    ) -> Result<Question<SeasonTracking>, ResultsError> {
        let seasons = self.seasons(market)?;
        let season = seasons.named_or_default(season)?;
        Ok(Question::new(TrackingQuestion { season }, &self.figures))
    }

    /// Returns the calibration of the models' probabilities in a season and their comparison with the market's.
    /// Defaults: the latest season, and every source of forecasts.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub fn calibration(
        &self,
        market: Market,
        season: Option<Season>,
        span: DateSpan,
        source: Option<ForecastSource>,
        models: ListedModels,
    ) -> Result<Question<SeasonCalibration>, ResultsError> {
        let seasons = self.seasons(market)?;
        let (season, models) = (seasons.named_or_latest(season)?, seasons.league().listed(models)?);
        seasons.check_dates(season, span)?;
        Ok(Question::new(CalibrationQuestion { season, span, source, models }, &self.figures))
    }

    /// Returns the strategies of a season in order of rank, by default of the latest season. Model edges are those of
    /// `model`, by default the headline model.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub fn leaderboard(
        &self,
        market: Market,
        season: Option<Season>,
        accounting: Accounting,
        model: Option<ModelName>,
    ) -> Result<Question<SeasonLeaderboard>, ResultsError> {
        let seasons = self.seasons(market)?;
        let (season, model) = (seasons.named_or_latest(season)?, seasons.league().model(model)?);
        Ok(Question::new(LeaderboardQuestion { season, accounting, model }, &self.figures))
    }

    /// Returns one strategy's season bet by bet, by default of the latest season. Model edges are those of `model`,
    /// by default the headline model.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub fn replay(
        &self,
        market: Market,
        rule: Rule,
        season: Option<Season>,
        accounting: Accounting,
        excluded: ExcludedGames,
        model: Option<ModelName>,
    ) -> Result<Question<SeasonReplay>, ResultsError> {
        let seasons = self.seasons(market)?;
        let (season, model) = (seasons.named_or_latest(season)?, seasons.league().model(model)?);
        Ok(Question::new(ReplayQuestion { season, rule, accounting, excluded, model }, &self.figures))
    }

    /// Returns the models of a league, with the games of the publisher's own ones.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the first poll of the league's log; `None` for a league without releases.
    pub fn models(&self, sport: Sport) -> Result<Option<Question<LeagueModels>>, NotReadYet> {
        let league = self.generations.current(sport)?;
        Ok(league.map(|league| Question::new(ModelsQuestion::in_generation(&league), &self.figures)))
    }

    fn seasons(&self, market: Market) -> Result<MarketSeasons, ResultsError> {
        let league = self.generations.current(market.sport)?.ok_or(ResultsError::NothingPublished(market))?;
        MarketSeasons::in_generation(league, market).ok_or(ResultsError::NothingPublished(market))
    }
}
