//! The current slate: predictions and odds on air, and which of their games are upcoming.

use std::sync::Arc;

use chrono::NaiveDate;
use sports_domain::{Market, Sport, eastern_date};
use sports_ports::Clock;
use sports_publication::{ArtifactRef, Odds, PredictedGame, Predictions, PredictionsEntry};
use sports_slate::{TeamNames, upcoming_floor};

use crate::on_air::{LeagueOnAir, NotReadYet, OnAir};

/// Answers questions about the slate on air; nothing is opened.
#[derive(Clone)]
pub struct Today {
    on_air: Arc<OnAir>,
    clock: Arc<dyn Clock>,
}

/// Which games of a slate are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Those of today's slate and later.
    Upcoming,
    /// Every game of the artifact.
    Whole,
}

/// One market's predictions as one generation has them.
pub struct PredictionsOnAir {
    league: Arc<LeagueOnAir>,
    predictions: Arc<Predictions>,
    entry: PredictionsEntry,
    floor: Option<NaiveDate>,
}

/// A league's odds as one generation has them.
pub struct OddsOnAir {
    league: Arc<LeagueOnAir>,
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
    /// Answers from what is on air.
    #[must_use]
    pub fn new(on_air: Arc<OnAir>, clock: Arc<dyn Clock>) -> Self {
        Self { on_air, clock }
    }

    /// One market's predictions.
    ///
    /// # Errors
    ///
    /// [`TodayError`].
    pub fn predictions(&self, market: Market, reach: Reach) -> Result<PredictionsOnAir, TodayError> {
        let missing = || TodayError::NoPredictions(market);
        let league = self.on_air.current(market.sport)?.ok_or_else(missing)?;
        let predictions = league.predictions.get(&market.model_type).cloned().ok_or_else(missing)?;
        let entry = league.catalog().predictions.get(&market.model_type).cloned().ok_or_else(missing)?;
        let floor = match reach {
            Reach::Whole => None,
            Reach::Upcoming => Some(self.floor(&league, &entry)),
        };
        Ok(PredictionsOnAir { league, predictions, entry, floor })
    }

    /// A league's odds.
    ///
    /// # Errors
    ///
    /// [`TodayError`].
    pub fn odds(&self, sport: Sport) -> Result<OddsOnAir, TodayError> {
        let missing = || TodayError::NoOdds(sport);
        let league = self.on_air.current(sport)?.ok_or_else(missing)?;
        let odds = league.odds.clone().ok_or_else(missing)?;
        let artifact = league.catalog().odds.clone().ok_or_else(missing)?;
        Ok(OddsOnAir { league, odds, artifact })
    }

    fn floor(&self, league: &LeagueOnAir, entry: &PredictionsEntry) -> NaiveDate {
        let catalog = league.catalog();
        let completed = catalog.completed_run().map(|run| run.slate_date());
        upcoming_floor(eastern_date(self.clock.now()), completed, entry.artifact.slate_date)
    }
}

impl PredictionsOnAir {
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
    pub const fn league(&self) -> &Arc<LeagueOnAir> {
        &self.league
    }
}

impl OddsOnAir {
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
    pub const fn league(&self) -> &Arc<LeagueOnAir> {
        &self.league
    }
}
