//! The current slate: published predictions and odds, and their upcoming games.

use std::sync::Arc;

use chrono::NaiveDate;
use sports_domain::{Market, ModelName, Sport, eastern_date};
use sports_ports::Clock;
use sports_publication::{ArtifactRef, Odds, PredictedGame, Predictions, PredictionsEntry};
use sports_slate::{TeamNames, upcoming_floor};

use crate::record::{CurrentGenerations, LeagueGeneration, NotReadYet};

/// Queries of the current slate, resolved without opening an archive.
#[derive(Clone)]
pub struct Today {
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
}

/// The range of games in a query of the slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlateScope {
    /// Games of today's slate and later.
    Upcoming,
    /// Every game of the artifact.
    Whole,
}

/// The predictions of one market in one generation.
pub struct CurrentPredictions {
    league: Arc<LeagueGeneration>,
    predictions: Arc<Predictions>,
    entry: PredictionsEntry,
    floor: Option<NaiveDate>,
}

/// The odds of a league in one generation.
pub struct CurrentOdds {
    league: Arc<LeagueGeneration>,
    odds: Arc<Odds>,
    artifact: ArtifactRef,
}

/// An error in a query of the slate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodayError {
    /// The league's log has not been read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// No predictions of the market were ever published.
    #[error("no predictions are published for {0}")]
    NoPredictions(Market),
    /// No odds of the league were ever published.
    #[error("no odds are published for {0}")]
    NoOdds(Sport),
}

impl Today {
    /// Creates the queries over the current generations.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, clock }
    }

    /// Returns the predictions of a market.
    ///
    /// # Errors
    ///
    /// [`TodayError`] if none are available.
    pub fn predictions(&self, market: Market, reach: SlateScope) -> Result<CurrentPredictions, TodayError> {
        let missing = || TodayError::NoPredictions(market);
        let league = self.generations.current(market.sport)?.ok_or_else(missing)?;
        let predictions = league.predictions.get(&market.model_type).cloned().ok_or_else(missing)?;
        let entry = league.catalog().predictions.get(&market.model_type).cloned().ok_or_else(missing)?;
        let floor = match reach {
            SlateScope::Whole => None,
            SlateScope::Upcoming => Some(self.floor(&league, &entry)),
        };
        Ok(CurrentPredictions { league, predictions, entry, floor })
    }

    /// Returns the odds of a league.
    ///
    /// # Errors
    ///
    /// [`TodayError`] if none are available.
    pub fn odds(&self, sport: Sport) -> Result<CurrentOdds, TodayError> {
        let missing = || TodayError::NoOdds(sport);
        let league = self.generations.current(sport)?.ok_or_else(missing)?;
        let odds = league.odds.clone().ok_or_else(missing)?;
        let artifact = league.catalog().odds.clone().ok_or_else(missing)?;
        Ok(CurrentOdds { league, odds, artifact })
    }

    fn floor(&self, league: &LeagueGeneration, entry: &PredictionsEntry) -> NaiveDate {
        let catalog = league.catalog();
        let completed = catalog.completed_run().map(|run| run.slate_date());
        upcoming_floor(eastern_date(self.clock.now()), completed, entry.artifact.slate_date)
    }
}

impl CurrentPredictions {
    /// Returns the games in the requested range, by date and time.
    pub fn games(&self) -> impl Iterator<Item = &PredictedGame> {
        self.predictions.games().iter().filter(|game| self.floor.is_none_or(|floor| game.game.key.date >= floor))
    }

    /// Returns the publisher's own models with a probability in the predictions, in order of declaration.
    #[must_use]
    pub fn own_models(&self) -> Vec<ModelName> {
        let has_value =
            |model: &ModelName| self.predictions.games().iter().any(|game| game.game.own.get(*model).is_some());
        self.league.registry.own().map(|model| model.name).filter(has_value).collect()
    }

    /// Returns those of [`Self::own_models`] that the public feed shows.
    #[must_use]
    pub fn public_models(&self) -> Vec<ModelName> {
        let is_public = |name: &ModelName| self.league.registry.get(name.as_str()).is_some_and(|model| model.public);
        self.own_models().into_iter().filter(is_public).collect()
    }

    /// Returns the publisher's names of teams.
    #[must_use]
    pub fn names(&self) -> &TeamNames {
        self.predictions.names()
    }

    /// Returns the predictions' entry in the catalog.
    #[must_use]
    pub const fn entry(&self) -> &PredictionsEntry {
        &self.entry
    }

    /// Returns the first upcoming date; `None` if the range is [`SlateScope::Whole`].
    #[must_use]
    pub const fn floor(&self) -> Option<NaiveDate> {
        self.floor
    }

    /// Returns the generation that the predictions belong to.
    #[must_use]
    pub const fn league(&self) -> &Arc<LeagueGeneration> {
        &self.league
    }
}

impl CurrentOdds {
    /// Returns the odds.
    #[must_use]
    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// Returns the odds' entry in the catalog.
    #[must_use]
    pub const fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }

    /// Returns the generation that the odds belong to.
    #[must_use]
    pub const fn league(&self) -> &Arc<LeagueGeneration> {
        &self.league
    }
}
