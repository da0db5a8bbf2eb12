//! Figures over a market's graded seasons.

mod backtest;
mod calibration;
mod clv;
mod known;
mod market_seasons;
mod models;
mod replay;
mod season_figures;
mod summary;
mod tracking;

use std::sync::Arc;

use sports_domain::{DateSpan, Market, ModelName, Season, eastern_date};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_publication::CountedForecasts;
use sports_publication::movement::{BeforeStart, KnownSeason};
use sports_publication::registry::ShownTo;
use sports_strategies::Accounting;
use tokio::time::Instant;

use crate::moment::LeagueMoment;
use crate::record::{CheckpointListings, EvidentTrees, TreeHead};
use crate::results::ResultsError;
use crate::season_walk::{NeededParts, SeasonWalks, times_of};
use calibration::{CalibrationQuestion, HorizonQuestion, ReliabilityQuestion};
use clv::ClvQuestion;
use known::{KnownQuestion, MovementAt};
use market_seasons::MarketSeasons;
use models::ModelsQuestion;
use replay::{LeaderboardQuestion, ReplayQuestion};
use season_figures::SeasonFigures;
use summary::{CurvesQuestion, DensityQuestion, FormQuestion, SummaryQuestion};
use tracking::{Evidence, TrackingQuestion};

pub use crate::chosen_models::ListedModels;
pub use backtest::{BacktestError, MadeBet, ProvenBets, RuleBacktest};
pub use calibration::{CalibratedModel, ModelReliability, SeasonCalibration, SourceCalibration};
pub use clv::{CloseWithin, ClvRules, CountedGames, SeasonClv, TakenRule};
pub use known::Horizon;
pub use market_seasons::PublishedSeason;
pub use models::{LeagueModel, LeagueModels, ModelGames, ModelKind};
pub use replay::{
    ExcludedGame, ExcludedGames, PlacedBet, ReplayedRule, SeasonLeaderboard, SeasonReplay, StrategyRecord,
};
pub use season_figures::{AnalyseSeasons, ForecastCounts, Question, SeasonAnalytics};
pub use summary::{
    Ends, FollowedRecord, MarketCurves, MarketDensity, SeasonForm, SeasonSummary, SeasonsGrid, SummarisedModel,
};
pub use tracking::{SeasonTracking, TrackedModel};

/// Queries of a market's graded games. Each query returns a [`Question`] with its dependencies at once; seasons are
/// opened only when the answer is computed.
#[derive(Clone)]
pub struct Analytics {
    figures: SeasonFigures,
    walks: Arc<SeasonWalks>,
    checkpoints: Arc<CheckpointListings>,
}

impl Analytics {
    /// Creates the queries: `views` opens season archives, `walks` reads the movement of their odds and forecasts, and `checkpoints`
    /// has the evidence of their commitments.
    pub fn new(
        views: Arc<dyn SeasonViews<SeasonAnalytics>>,
        walks: Arc<SeasonWalks>,
        checkpoints: Arc<CheckpointListings>,
    ) -> Self {
        Self { figures: SeasonFigures::new(views, walks.archives().clone()), walks, checkpoints }
    }

    /// Returns each model's record in a season, by default the current one, over the forecasts that count, by default all.
    ///
    /// # Errors
    ///
    /// [`ResultsError`] if the market has no archive or a part of the generation cannot be read, as for every query;
    /// [`ResultsError::NoSuchSeason`] if the season is not published.
    pub async fn summary(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        counted: Option<CountedForecasts>,
        models: ListedModels,
    ) -> Result<Question<SeasonSummary>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let (season, current) = (seasons.named_or_default(season)?, seasons.current());
        let question = SummaryQuestion { season, current, counted, models: moment.models().await?.listed(models)? };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns each team's record in the current season, and the date of its next game.
    ///
    /// # Errors
    ///
    /// [`ResultsError`], as for every query.
    pub async fn team_form(&self, moment: &LeagueMoment, market: Market) -> Result<Question<SeasonForm>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let question = FormQuestion {
            season: seasons.default_season(),
            current: seasons.current(),
            today: eastern_date(moment.now()),
            predicted: seasons.predicted_elsewhere().await?,
        };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the models' four-week curves of every season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::team_form`].
    pub async fn rolling(
        &self,
        moment: &LeagueMoment,
        market: Market,
        models: ListedModels,
    ) -> Result<Question<MarketCurves>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let question = CurvesQuestion {
            latest: seasons.latest(),
            newest_first: seasons.newest_first(),
            answering: seasons.default_season().archive.season,
            models: moment.models().await?.listed(models)?,
        };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the distribution of graded games over a model's probability and the market's, in the current season and
    /// in earlier ones. The default is that of the market.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::team_form`].
    pub async fn density(
        &self,
        moment: &LeagueMoment,
        market: Market,
        model: Option<ModelName>,
    ) -> Result<Question<MarketDensity>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let model = moment.models_of(market.model_type, ShownTo::Subscribers).await?.model(model)?;
        let (current, previous, hidden) = (seasons.default_season(), seasons.previous(), moment.hidden_models());
        let question = DensityQuestion { current, previous, model, hidden };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the composition of a season's record, by default of the current season and of all its games; and the instant until
    /// which a request gets no later checkpoints, `None` without a tree.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::summary`].
    pub async fn model_tracking(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        counted: Option<CountedForecasts>,
    ) -> Result<(Question<SeasonTracking>, Option<Instant>), ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let season = seasons.named_or_default(season)?;
        let league = moment.models().await?;
        let models = league.listed(ListedModels::All)?;
        let declared = league.registry().own().map(|model| (model.name, model.declared.at)).collect();
        let (evidence, until) = self.evidence(moment, season.archive.season).await;
        let question = TrackingQuestion { season, counted, models, declared, evidence };
        Ok((Question::new(question, &self.figures), until))
    }

    /// Returns the evidence of the commitments of a season. The store may be away while its archives are in memory.
    async fn evidence(&self, moment: &LeagueMoment, season: Season) -> (Evidence, Option<Instant>) {
        let catalog = moment.catalog();
        let Some((catalog, head)) = catalog.and_then(|catalog| Some((catalog, TreeHead::of(catalog)?))) else {
            return (Evidence::NoTree, None);
        };
        let (from, through) = times_of(season);
        let through = Some(through).filter(|through| *through < catalog.published_at);
        match EvidentTrees::listed(&self.checkpoints, head, (from, through), moment.now()).await {
            Ok((trees, until)) => (Evidence::Trees(trees), Some(until)),
            Err(_) => (Evidence::Unknown, Some(Instant::now())),
        }
    }

    /// Returns the models with a probability in a season that the reader of the moment may see, by default of the current season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::summary`].
    pub async fn forecast_models(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
    ) -> Result<Vec<ModelName>, ResultsError> {
        let season = MarketSeasons::at(moment, market)?.named_or_default(season)?;
        let listed = moment.models().await?.listed(ListedModels::All)?;
        let opened = self.figures.open(&season).await?;
        Ok(opened.covered_models().filter(|model| listed.include(model.as_str())).collect())
    }

    /// Returns the calibration of the models' probabilities in a season and their comparison with the market's.
    /// Defaults: the latest season, and both sources of forecasts, each by itself.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub async fn calibration(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        span: DateSpan,
        counted: Option<CountedForecasts>,
        models: ListedModels,
    ) -> Result<Question<SeasonCalibration>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let (season, models) = (seasons.named_or_latest(season)?, moment.models().await?.listed(models)?);
        seasons.check_dates(season, span)?;
        Ok(Question::new(CalibrationQuestion { season, span, counted, models }, &self.figures))
    }

    /// Returns the reliability diagram of a model in a season, that of its calibration.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::summary`].
    pub fn reliability(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Season,
        model: ModelName,
    ) -> Result<Question<Option<ModelReliability>>, ResultsError> {
        let season = MarketSeasons::at(moment, market)?.named(season)?;
        Ok(Question::new(ReliabilityQuestion { season, model }, &self.figures))
    }

    /// Returns the calibration of the live forecasts that count and were served at a horizon, by default of the latest season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::clv`].
    pub async fn calibration_at(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        (span, horizon): (DateSpan, Horizon),
        counted: CountedForecasts,
        models: ListedModels,
    ) -> Result<Question<SeasonCalibration>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let (season, models) = (seasons.named_or_latest(season)?, moment.models().await?.listed(models)?);
        seasons.check_dates(season, span)?;
        let movement = match horizon {
            Horizon::Standing => None,
            // Forecasts are judged by the lines served with them.
            _ => Some(self.movement(moment, season, NeededParts::Predictions(market.model_type)).await?),
        };
        Ok(Question::new(HorizonQuestion { season, span, counted, models, horizon, movement }, &self.figures))
    }

    /// Returns the value of the models' picks at the close, by default of the latest season.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`]; [`ResultsError::Unwalked`] if the entries of the season are not read yet.
    pub async fn clv(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        rules: ClvRules,
        models: ListedModels,
    ) -> Result<Question<SeasonClv>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let (season, models) = (seasons.named_or_latest(season)?, moment.models().await?.listed(models)?);
        seasons.check_dates(season, rules.span)?;
        let movement = self.movement(moment, season, NeededParts::OddsAndPredictions(market.model_type)).await?;
        let instant = movement.play_instant(moment, market.model_type);
        Ok(Question::new(ClvQuestion { season, rules, models, movement, instant }, &self.figures))
    }

    /// Returns a season as it was known some time before each start, by default the latest season, and the number of games
    /// that were not known yet.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::clv`].
    pub async fn known_season(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        before: BeforeStart,
        has_finals: bool,
    ) -> Result<(Question<KnownSeason>, usize), ResultsError> {
        let season = MarketSeasons::at(moment, market)?.named_or_latest(season)?;
        let movement = self.movement(moment, season, NeededParts::OddsAndPredictions(market.model_type)).await?;
        let question = KnownQuestion::new(season, movement, moment, (before, has_finals)).await?;
        let unknown = question.unknown();
        Ok((Question::new(question, &self.figures), unknown))
    }

    /// Returns the movement of a season as of a moment, complete in the needed parts.
    async fn movement(
        &self,
        moment: &LeagueMoment,
        season: PublishedSeason,
        needed: NeededParts,
    ) -> Result<MovementAt, ResultsError> {
        Ok(MovementAt::new(moment, self.walks.season(moment, season.archive.season, needed).await?))
    }

    /// Returns the strategies of a season in order of rank, by default of the latest season. Model edges are those of
    /// `model`, by default the default model of the market.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub async fn leaderboard(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        accounting: Accounting,
        model: Option<ModelName>,
        counted: Option<CountedForecasts>,
    ) -> Result<Question<SeasonLeaderboard>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let models = moment.models_of(market.model_type, ShownTo::Subscribers).await?;
        let (season, model) = (seasons.named_or_latest(season)?, models.model(model)?);
        let hidden = moment.hidden_models();
        Ok(Question::new(LeaderboardQuestion { season, accounting, model, hidden, counted }, &self.figures))
    }

    /// Returns one strategy's season bet by bet, by default of the latest season. Model edges are those of `model`,
    /// by default the default model of the market.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::model_tracking`].
    pub async fn replay(
        &self,
        moment: &LeagueMoment,
        market: Market,
        season: Option<Season>,
        ReplayedRule { rule, accounting, excluded, model, counted }: ReplayedRule,
    ) -> Result<Question<SeasonReplay>, ResultsError> {
        let seasons = MarketSeasons::at(moment, market)?;
        let models = moment.models_of(market.model_type, ShownTo::Subscribers).await?;
        let (season, model) = (seasons.named_or_latest(season)?, models.model(model)?);
        let hidden = moment.hidden_models();
        let question = ReplayQuestion { season, rule, accounting, excluded, model, hidden, counted };
        Ok(Question::new(question, &self.figures))
    }

    /// Returns the models of a league, with the games of the publisher's own ones; `None` for a league without releases.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the registry cannot be read.
    pub async fn models(&self, moment: &LeagueMoment) -> Result<Option<Question<LeagueModels>>, PortError> {
        let Some(catalog) = moment.catalog() else { return Ok(None) };
        let record = Arc::clone(self.walks.record());
        let models = moment.models().await?;
        let defaults = moment.default_models(ShownTo::Subscribers).await?;
        let question = ModelsQuestion::in_catalog(catalog, models.registry(), defaults, record);
        Ok(Some(Question::new(question, &self.figures)))
    }
}
