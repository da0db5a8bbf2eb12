//! The current slate: published predictions and odds, and which of their games are upcoming.

use std::sync::Arc;

use chrono::NaiveDate;
use sports_domain::{Market, Sport, eastern_date};
use sports_ports::Clock;
use sports_publication::{ArtifactRef, Odds, PredictedGame, Predictions, PredictionsEntry};
use sports_slate::{TeamNames, upcoming_floor};

use crate::record::{CurrentGenerations, LeagueGeneration, NotReadYet};

/// Answers questions about the current slate; no archive is opened.
#[derive(Clone)]
pub struct Today {
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
}

/// Which games of a slate are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlateScope {
    /// Those of today's slate and later.
    Upcoming,
    /// Every game of the artifact.
    Whole,
}

/// One market's predictions as one generation has them.
pub struct CurrentPredictions {
    league: Arc<LeagueGeneration>,
    predictions: Arc<Predictions>,
    entry: PredictionsEntry,
    floor: Option<NaiveDate>,
}

/// A league's odds as one generation has them.
pub struct CurrentOdds {
    league: Arc<LeagueGeneration>,
    odds: Arc<Odds>,
    artifact: ArtifactRef,
}

/// Why there is no such slate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodayError {
    /// The league's log was not read yet.
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
    /// Answers from the current generations.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, clock }
    }

    /// One market's predictions.
    ///
    /// # Errors
    ///
    /// [`TodayError`].
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

    /// A league's odds.
    ///
    /// # Errors
    ///
    /// [`TodayError`].
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
    /// The games asked for, by date and time.
    pub fn games(&self) -> impl Iterator<Item = &PredictedGame> {
        self.predictions.games().iter().filter(|game| self.floor.is_none_or(|floor| game.game.key.date >= floor))
    }

    /// What the publisher calls teams.
    #[must_use]
    pub fn names(&self) -> &TeamNames {
        self.predictions.names()
    }

    /// The entry of the catalog.
    #[must_use]
    pub const fn entry(&self) -> &PredictionsEntry {
        &self.entry
    }

    /// The first date that counts as upcoming; `None` where every game is wanted.
    #[must_use]
    pub const fn floor(&self) -> Option<NaiveDate> {
        self.floor
    }

    /// The generation, whole.
    #[must_use]
    pub const fn league(&self) -> &Arc<LeagueGeneration> {
        &self.league
    }
}

impl CurrentOdds {
    /// The odds.
    #[must_use]
    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// The entry of the catalog.
    #[must_use]
    pub const fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }

    /// The generation, whole.
    #[must_use]
    pub const fn league(&self) -> &Arc<LeagueGeneration> {
        &self.league
    }
}
