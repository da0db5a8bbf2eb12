//! What is made of a market's graded seasons.

mod calibration;
mod curves;
mod density;
mod form;
mod leaderboard;
mod market_seasons;
mod question;
mod replay;
mod season_figures;
mod summary;
mod tracking;
mod uncertainty;

use std::sync::Arc;

use sports_domain::{DateSpan, Market, Season, eastern_date};
use sports_ports::Clock;
use sports_ports::seasons::SeasonViews;
use sports_publication::ForecastSource;
use sports_strategies::{Accounting, Rule};

use crate::record::CurrentGenerations;
use crate::results::ResultsError;

pub use calibration::{SeasonCalibration, SourceCalibration};
pub use curves::MarketCurves;
pub use density::{MarketDensity, SeasonsGrid};
pub use form::SeasonForm;
pub use leaderboard::{SeasonLeaderboard, StrategyRecord};
pub use market_seasons::PublishedSeason;
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
use question::SeasonFigures;
use replay::ReplayQuestion;
use summary::SummaryQuestion;
use tracking::TrackingQuestion;

/// Answers questions about a market's graded games. Each question says at once what its answer depends on; seasons are
/// opened only if the answer is asked for.
#[derive(Clone)]
pub struct Analytics {
    generations: Arc<CurrentGenerations>,
    figures: SeasonFigures,
    clock: Arc<dyn Clock>,
}

impl Analytics {
    /// Answers from the current generations, with the figures that `views` make of season archives.
    #[must_use]
    pub fn new(
        generations: Arc<CurrentGenerations>,
        views: Arc<dyn SeasonViews<SeasonAnalytics>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { generations, figures: SeasonFigures::new(views), clock }
    }

    /// How each model did in a season; in the current one where none is named.
    ///
    /// # Errors
    ///
    /// [`ResultsError`] where the league was not read yet, or the market has no archive; of every question.
    /// [`ResultsError::NoSuchSeason`] where the season named is not published.
    pub fn summary(&self, market: Market, season: Option<Season>) -> Result<Question<SeasonSummary>, ResultsError> {
        let seasons = self.seasons(market)?;
        let asked = SummaryQuestion { season: seasons.named_or_answering(season)?, current: seasons.current() };
        Ok(Question::new(asked, &self.figures))
    }

    /// How each team did in the current season, and when it plays next.
    ///
    /// # Errors
    ///
    /// [`ResultsError`], as of every question.
    pub fn team_form(&self, market: Market) -> Result<Question<SeasonForm>, ResultsError> {
        let seasons = self.seasons(market)?;
        let asked = FormQuestion {
            season: seasons.answering(),
            current: seasons.current(),
            today: eastern_date(self.clock.now()),
            predicted: seasons.predicted_elsewhere(),
        };
        Ok(Question::new(asked, &self.figures))
    }

    /// The models' four-week curves of every season.
    ///
    /// # Errors
    ///
    /// As [`Self::team_form`].
    pub fn rolling(&self, market: Market) -> Result<Question<MarketCurves>, ResultsError> {
        let seasons = self.seasons(market)?;
        let asked = CurvesQuestion {
            latest: seasons.latest(),
            newest_first: seasons.newest_first(),
            answering: seasons.answering().archive.season,
        };
        Ok(Question::new(asked, &self.figures))
    }

    /// How graded games spread over BLEND's probability and the market's, in the current season and those before it.
    ///
    /// # Errors
    ///
    /// As [`Self::team_form`].
    pub fn density(&self, market: Market) -> Result<Question<MarketDensity>, ResultsError> {
        let seasons = self.seasons(market)?;
        let asked = DensityQuestion { current: seasons.answering(), previous: seasons.previous() };
        Ok(Question::new(asked, &self.figures))
    }

    /// What a season's record is made of; of the current season where none is named.
    ///
    /// # Errors
    ///
    /// As [`Self::summary`].
    pub fn model_tracking(
        &self,
        market: Market,
        season: Option<Season>,
    ) -> Result<Question<SeasonTracking>, ResultsError> {
        let seasons = self.seasons(market)?;
        let season = seasons.named_or_answering(season)?;
        Ok(Question::new(TrackingQuestion { season }, &self.figures))
    }

    /// Whether the models' probabilities were right in a season, and closer than the market's; in the latest season where none
    /// is named, and from every source of forecasts where none is named.
    ///
    /// # Errors
    ///
    /// As [`Self::model_tracking`].
    pub fn calibration(
        &self,
        market: Market,
        season: Option<Season>,
        span: DateSpan,
        source: Option<ForecastSource>,
    ) -> Result<Question<SeasonCalibration>, ResultsError> {
        let season = self.named_or_latest(market, season)?;
        Ok(Question::new(CalibrationQuestion { season, span, source }, &self.figures))
    }

    /// The strategies of a season in order of rank; of the latest season where none is named.
    ///
    /// # Errors
    ///
    /// As [`Self::model_tracking`].
    pub fn leaderboard(
        &self,
        market: Market,
        season: Option<Season>,
        accounting: Accounting,
    ) -> Result<Question<SeasonLeaderboard>, ResultsError> {
        let season = self.named_or_latest(market, season)?;
        Ok(Question::new(LeaderboardQuestion { season, accounting }, &self.figures))
    }

    /// One strategy's season bet by bet; of the latest season where none is named.
    ///
    /// # Errors
    ///
    /// As [`Self::model_tracking`].
    pub fn replay(
        &self,
        market: Market,
        rule: Rule,
        season: Option<Season>,
        accounting: Accounting,
        excluded: ExcludedGames,
    ) -> Result<Question<SeasonReplay>, ResultsError> {
        let season = self.named_or_latest(market, season)?;
        Ok(Question::new(ReplayQuestion { season, rule, accounting, excluded }, &self.figures))
    }

    fn seasons(&self, market: Market) -> Result<MarketSeasons, ResultsError> {
        let league = self.generations.current(market.sport)?.ok_or(ResultsError::NothingPublished(market))?;
        MarketSeasons::in_generation(league, market).ok_or(ResultsError::NothingPublished(market))
    }

    fn named_or_latest(&self, market: Market, season: Option<Season>) -> Result<PublishedSeason, ResultsError> {
        let seasons = self.seasons(market)?;
        season.map_or_else(|| Ok(seasons.latest()), |season| seasons.named(season))
    }
}
