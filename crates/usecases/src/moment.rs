//! A league's published data as of an instant: the one argument of every query.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::{ModelType, Sport};
use sports_ports::{Clock, PortError};
use sports_publication::registry::Registry;
use sports_publication::{Catalog, Odds, Predictions};

use crate::chosen_models::LeagueRegistry;
use crate::record::{CurrentGenerations, LeagueGeneration, NotReadYet};
use crate::unsettled::UnsettledGames;

/// A generation of a league and the instant as of which it is read. A query takes both as one value, so that none
/// combines a generation with another instant than its own.
#[derive(Clone)]
pub struct LeagueMoment {
    sport: Sport,
    now: DateTime<Utc>,
    data: MomentData,
}

/// The published data of a moment.
#[derive(Clone)]
enum MomentData {
    /// No release was published.
    Nothing,
    /// The generation that is current on this node.
    Current(Arc<LeagueGeneration>),
}

impl LeagueMoment {
    /// Creates a moment of the current generation; `None` is a league without releases.
    #[must_use]
    pub fn current(sport: Sport, league: Option<Arc<LeagueGeneration>>, now: DateTime<Utc>) -> Self {
        Self { sport, now, data: league.map_or(MomentData::Nothing, MomentData::Current) }
    }

    /// Returns the league.
    #[must_use]
    pub const fn sport(&self) -> Sport {
        self.sport
    }

    /// Returns the instant that takes the place of the clock.
    #[must_use]
    pub const fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Returns the catalog of the generation; `None` for a league without releases.
    #[must_use]
    pub fn catalog(&self) -> Option<&Catalog> {
        match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => Some(league.catalog()),
        }
    }

    /// Returns true if any entry of the record was published with a time set by hand.
    #[must_use]
    pub fn is_simulated(&self) -> bool {
        match &self.data {
            MomentData::Nothing => false,
            MomentData::Current(league) => league.simulated,
        }
    }

    /// Returns the predictions of a market; `None` if the generation has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the predictions cannot be read.
    #[expect(clippy::unused_async, reason = "the data of an earlier moment is read from the store")]
    pub async fn predictions(&self, model_type: ModelType) -> Result<Option<Arc<Predictions>>, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => league.predictions.get(&model_type).cloned(),
        })
    }

    /// Returns the odds; `None` if the generation has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the odds cannot be read.
    #[expect(clippy::unused_async, reason = "the data of an earlier moment is read from the store")]
    pub async fn odds(&self) -> Result<Option<Arc<Odds>>, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => league.odds.clone(),
        })
    }

    /// Returns the models of the league.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the registry cannot be read.
    #[expect(clippy::unused_async, reason = "the data of an earlier moment is read from the store")]
    pub async fn models(&self) -> Result<LeagueRegistry, PortError> {
        let registry = match &self.data {
            MomentData::Nothing => Arc::<Registry>::default(),
            MomentData::Current(league) => Arc::clone(&league.registry),
        };
        Ok(LeagueRegistry::new(self.sport, registry))
    }

    /// Returns the games of the live season without an ending.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    #[expect(clippy::unused_async, reason = "the data of an earlier moment is read from the store")]
    pub async fn unsettled(&self) -> Result<UnsettledGames, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => UnsettledGames::default(),
            MomentData::Current(league) => league.unsettled.clone(),
        })
    }
}

/// The moments of all leagues: their generations, read by one clock.
pub struct Moments {
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
}

impl Moments {
    /// Creates the moments of these generations by this clock.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, clock }
    }

    /// Returns the present moment of a league.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once.
    pub fn now(&self, sport: Sport) -> Result<LeagueMoment, NotReadYet> {
        Ok(LeagueMoment::current(sport, self.generations.current(sport)?, self.clock.now()))
    }

    /// Polls a league's log, and returns the present moment after it.
    ///
    /// # Errors
    ///
    /// The error of [`Self::now`].
    pub async fn after_a_poll(&self, sport: Sport) -> Result<LeagueMoment, NotReadYet> {
        self.generations.poll_league(sport).await;
        self.now(sport)
    }

    /// Returns the current generations.
    pub(crate) const fn generations(&self) -> &Arc<CurrentGenerations> {
        &self.generations
    }

    /// Returns the present instant.
    pub(crate) fn instant(&self) -> DateTime<Utc> {
        self.clock.now()
    }
}
