//! A league's published data as of an instant: the one argument of every query.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use sports_domain::{GameKey, Market, ModelName, ModelType, Season, Sport, eastern_date};
use sports_ledger::{EntryFacts, NoPlace, Place, Sought, unreadable_entry};
use sports_ports::publication::LogEntry;
use sports_ports::seasons::SeasonRef;
use sports_ports::{Clock, PortError};
use sports_publication::registry::{Registry, ShownTo};
use sports_publication::{ArtifactRef, Catalog, Generation, Odds, Predictions, RecordHead};

use crate::chosen_models::{LeagueRegistry, MarketModels};
use crate::record::{
    CurrentGenerations, LeagueDefaults, LeagueGeneration, NotReadYet, PastGeneration, PastRecord, unreadable,
};
use crate::unsettled::UnsettledGames;

/// A generation of a league and the instant as of which it is read. A query takes both as one value, so that none
/// combines a generation with another instant than its own.
#[derive(Clone)]
pub struct LeagueMoment {
    sport: Sport,
    now: DateTime<Utc>,
    data: MomentData,
    requested: Option<Neighbours>,
    reader: ShownTo,
}

/// The place of a requested moment in the record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The entry before that of the moment.
    pub before: Option<Generation>,
    /// The entry after that of the moment; `None` while it is the newest.
    pub after: Option<Generation>,
}

/// A request for an earlier moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedMoment {
    /// The newest entry at an instant.
    At(DateTime<Utc>),
    /// An entry by its number, at its time.
    Generation(Generation),
}

/// The published data of a moment.
#[derive(Clone)]
enum MomentData {
    /// No release was published.
    Nothing,
    /// The generation that is current on this node.
    Current(Arc<LeagueGeneration>),
    /// Another generation, whose parts are read on request, in boxes: other requests would carry the state of these reads.
    Past(PastGeneration),
}

/// An error in finding a moment.
#[derive(Debug, thiserror::Error)]
pub enum MomentError {
    /// The league's log has not been read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// The instant is in the future.
    #[error("the instant is in the future: it is {now}")]
    Future { now: DateTime<Utc> },
    /// The instant is before the first release.
    #[error("the first release of {sport} is of {first}")]
    BeforeFirst {
        sport: Sport,
        /// The publication time of the first release.
        first: DateTime<Utc>,
    },
    /// The number is above the newest one.
    #[error("{sport} has no generation {generation}")]
    AboveNewest {
        sport: Sport,
        /// The requested number.
        generation: Generation,
        /// The newest number; `None` for a league without releases.
        newest: Option<Generation>,
    },
    /// The number is not part of the record.
    #[error("number {generation} of {sport} is no part of its record")]
    NoMember {
        sport: Sport,
        /// The requested number.
        generation: Generation,
    },
    /// The record around the moment cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PortError),
}

/// The time by which an instant may be after the server's clock.
const AHEAD: TimeDelta = TimeDelta::seconds(2);

impl LeagueMoment {
    /// Creates a moment of the current generation; `None` is a league without releases.
    pub fn current(sport: Sport, league: Option<Arc<LeagueGeneration>>, now: DateTime<Utc>) -> Self {
        Self {
            sport,
            now,
            data: league.map_or(MomentData::Nothing, MomentData::Current),
            requested: None,
            reader: ShownTo::Subscribers,
        }
    }

    /// Returns the same moment for another reader.
    #[must_use]
    pub fn read_by(self, reader: ShownTo) -> Self {
        Self { reader, ..self }
    }

    /// Returns the same data at another instant.
    #[must_use]
    pub(crate) fn seen_at(self, now: DateTime<Utc>) -> Self {
        Self { now, ..self }
    }

    pub const fn reader(&self) -> ShownTo {
        self.reader
    }

    /// Returns the instant by which games have started that the reader may see; `None` for all games.
    pub fn embargo(&self) -> Option<DateTime<Utc>> {
        (self.reader == ShownTo::Everyone).then_some(self.now)
    }

    /// Returns true if the reader may see a game, under its present start.
    pub fn shows(&self, game: &GameKey) -> bool {
        self.embargo().is_none_or(|now| game.shown_from() <= now)
    }

    /// Returns true if the reader may not see each game up to a date.
    pub fn may_hide(&self, last_date: Option<NaiveDate>) -> bool {
        let is_over = |date: NaiveDate| date < eastern_date(self.now) - Days::new(1);
        self.reader == ShownTo::Everyone && !last_date.is_none_or(is_over)
    }

    /// Returns the own models that the reader may not see.
    pub fn hidden_models(&self) -> Vec<ModelName> {
        match (&self.data, self.reader) {
            (MomentData::Current(league), ShownTo::Everyone) => league.registry.hidden().collect(),
            // Nobody reads an earlier moment without a key.
            _ => Vec::new(),
        }
    }

    /// Returns the archive of a season with the models that the reader may see.
    pub(crate) fn season(&self, market: Market, season: Season, artifact: &ArtifactRef) -> SeasonRef {
        let public_in = match &self.data {
            MomentData::Current(league) if !self.hidden_models().is_empty() => league.catalog().models,
            _ => None,
        };
        SeasonRef { public_in, ..SeasonRef::from_artifact(market, season, artifact) }
    }

    pub const fn sport(&self) -> Sport {
        self.sport
    }

    /// Returns the instant that takes the place of the clock.
    pub const fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Returns the place of the moment in the record; `None` for the present moment.
    pub const fn requested(&self) -> Option<Neighbours> {
        self.requested
    }

    /// Returns the catalog of the generation; `None` for a league without releases.
    pub fn catalog(&self) -> Option<&Catalog> {
        match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => Some(league.catalog()),
            MomentData::Past(past) => Some(past.catalog()),
        }
    }

    /// Returns the head of the league's tree after the generation; `None` before the tree.
    pub fn record_head(&self) -> Option<&RecordHead> {
        match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => league.record_head.as_ref(),
            MomentData::Past(past) => past.record_head(),
        }
    }

    /// Returns the generation that was current on this node at the request, whatever generation the moment is of.
    pub(crate) fn newest(&self) -> Option<&Arc<LeagueGeneration>> {
        match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => Some(league),
            MomentData::Past(past) => Some(past.newest()),
        }
    }

    /// Returns the entry of a generation that was not current on this node at the request; `None` for the current one.
    pub(crate) const fn past_entry(&self) -> Option<&Arc<LogEntry>> {
        match &self.data {
            MomentData::Nothing | MomentData::Current(_) => None,
            MomentData::Past(past) => Some(past.entry()),
        }
    }

    /// Returns the entry of the generation; `None` for a league without releases.
    pub(crate) fn entry(&self) -> Option<&LogEntry> {
        self.past_entry().map(|entry| &**entry).or_else(|| self.newest().map(|league| &league.entry))
    }

    /// Returns true if any entry of the record was published with a time set by hand.
    pub fn is_simulated(&self) -> bool {
        match &self.data {
            MomentData::Nothing => false,
            MomentData::Current(league) => league.simulated,
            MomentData::Past(past) => past.is_simulated(),
        }
    }

    /// Returns the predictions of a market; `None` if the generation has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the predictions cannot be read.
    pub async fn predictions(&self, model_type: ModelType) -> Result<Option<Arc<Predictions>>, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => league.predictions.get(&model_type).cloned(),
            MomentData::Past(past) => Box::pin(past.predictions(model_type)).await?,
        })
    }

    /// Returns the odds; `None` if the generation has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the odds cannot be read.
    pub async fn odds(&self) -> Result<Option<Arc<Odds>>, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => None,
            MomentData::Current(league) => league.odds.clone(),
            MomentData::Past(past) => Box::pin(past.odds()).await?,
        })
    }

    /// Returns the models of the league that the reader may see.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the registry cannot be read.
    pub async fn models(&self) -> Result<LeagueRegistry, PortError> {
        let registry = match &self.data {
            MomentData::Nothing => Arc::<Registry>::default(),
            MomentData::Current(league) => Arc::clone(&league.registry),
            MomentData::Past(past) => Box::pin(past.registry()).await?,
        };
        Ok(match self.reader {
            ShownTo::Subscribers => LeagueRegistry::new(self.sport, registry),
            ShownTo::Everyone => LeagueRegistry::new(self.sport, registry).of_public_models(),
        })
    }

    /// Returns the markets that the league has; every market before the first release.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the record cannot be read.
    pub async fn markets(&self) -> Result<BTreeSet<ModelType>, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => ModelType::ALL.into(),
            MomentData::Current(league) => league.markets.clone(),
            MomentData::Past(past) => Box::pin(past.markets()).await?,
        })
    }

    /// Returns the models of the league as these readers see them, with the default of a market.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the registry, predictions or an archive cannot be read.
    pub async fn models_of(&self, model_type: ModelType, shown_to: ShownTo) -> Result<MarketModels, PortError> {
        let (league, shown_to) = (self.models().await?, shown_to.and(self.reader));
        let default = match &self.data {
            MomentData::Past(past) => Box::pin(past.default_model(league.registry(), model_type, shown_to)).await?,
            MomentData::Nothing => Registry::DEFAULT_HEADLINE,
            MomentData::Current(league) => league.defaults(shown_to).of_market(model_type),
        };
        Ok(MarketModels::new(league, shown_to, default))
    }

    /// Returns the default models of the league.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::models_of`].
    pub async fn default_models(&self, shown_to: ShownTo) -> Result<LeagueDefaults, PortError> {
        let shown_to = shown_to.and(self.reader);
        Ok(match &self.data {
            MomentData::Nothing => LeagueDefaults::default(),
            MomentData::Current(league) => league.defaults(shown_to).clone(),
            MomentData::Past(past) => Box::pin(past.default_models(shown_to)).await?,
        })
    }

    /// Returns the games of the live season without an ending.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    pub async fn unsettled(&self) -> Result<UnsettledGames, PortError> {
        Ok(match &self.data {
            MomentData::Nothing => UnsettledGames::default(),
            MomentData::Current(league) => league.unsettled.clone(),
            MomentData::Past(past) => Box::pin(past.unsettled()).await?,
        })
    }
}

/// The current generation of a league, and the result of a search in its ledger; `None` for a league without releases.
type Found = Option<(Arc<LeagueGeneration>, Result<Place, NoPlace>)>;

impl RequestedMoment {
    const fn sought(self) -> Sought {
        match self {
            Self::At(instant) => Sought::At(instant),
            Self::Generation(number) => Sought::Number(number),
        }
    }

    fn error(self, sport: Sport, none: NoPlace) -> MomentError {
        match (none, self) {
            (NoPlace::BeforeFirst(first), _) => MomentError::BeforeFirst { sport, first },
            (NoPlace::AboveNewest(newest), Self::Generation(generation)) => {
                MomentError::AboveNewest { sport, generation, newest: Some(newest) }
            }
            (NoPlace::NoMember, Self::Generation(generation)) => MomentError::NoMember { sport, generation },
            (NoPlace::Unreadable(number) | NoPlace::AboveNewest(number), _) => {
                unreadable(unreadable_entry(sport, number)).into()
            }
            (NoPlace::NoMember | NoPlace::Empty, _) => unreadable(unreadable_entry(sport, Generation::FIRST)).into(),
        }
    }
}

/// The moments of all leagues: their current and earlier generations, read by one clock.
pub struct Moments {
    record: Arc<PastRecord>,
    clock: Arc<dyn Clock>,
}

impl Moments {
    /// Creates the moments of a record by this clock.
    pub const fn new(record: Arc<PastRecord>, clock: Arc<dyn Clock>) -> Self {
        Self { record, clock }
    }

    /// Returns a requested moment of a league. Selects by publication times, and polls the log if the answer depends on its
    /// newest entry and the last poll was before.
    ///
    /// # Errors
    ///
    /// [`MomentError`] if the record has no such moment, or it cannot be read.
    pub async fn at(&self, sport: Sport, requested: RequestedMoment) -> Result<LeagueMoment, MomentError> {
        let (arrived, now) = (self.clock.uptime(), self.clock.now());
        if matches!(requested, RequestedMoment::At(instant) if instant > now + AHEAD) {
            return Err(MomentError::Future { now });
        }
        let mut found = self.found(sport, requested).await?;
        if self.depends_on_the_newest(sport, requested, found.as_ref().map(|(_, place)| place)) {
            Box::pin(self.generations().poll_on_demand(sport, arrived)).await?;
            found = self.found(sport, requested).await?;
        }
        let Some((current, place)) = found else {
            return match requested {
                RequestedMoment::At(now) => Ok(LeagueMoment {
                    sport,
                    now,
                    data: MomentData::Nothing,
                    requested: Some(Neighbours::default()),
                    reader: ShownTo::Subscribers,
                }),
                RequestedMoment::Generation(generation) => {
                    Err(MomentError::AboveNewest { sport, generation, newest: None })
                }
            };
        };
        let Place { facts, before, after } = place.map_err(|none| requested.error(sport, none))?;
        let now = match requested {
            RequestedMoment::At(instant) => instant,
            RequestedMoment::Generation(_) => facts.published_at,
        };
        let data = self.data_of(sport, &facts, current).await?;
        Ok(LeagueMoment {
            sport,
            now,
            data,
            requested: Some(Neighbours { before, after }),
            reader: ShownTo::Subscribers,
        })
    }

    /// Returns the moment of an entry at its publication; `top` is a moment of this entry or a later one.
    pub(crate) async fn of_entry(&self, top: &LeagueMoment, facts: &EntryFacts) -> Result<LeagueMoment, PortError> {
        let data = match top.newest() {
            Some(current) => self.data_of(top.sport, facts, Arc::clone(current)).await?,
            None => MomentData::Nothing,
        };
        Ok(LeagueMoment { now: facts.published_at, data, requested: None, ..top.clone() })
    }

    async fn data_of(
        &self,
        sport: Sport,
        facts: &EntryFacts,
        current: Arc<LeagueGeneration>,
    ) -> Result<MomentData, PortError> {
        if facts.digest == current.entry.digest {
            return Ok(MomentData::Current(current));
        }
        Ok(MomentData::Past(self.record.open(sport, facts, current).await?))
    }

    async fn found(&self, sport: Sport, requested: RequestedMoment) -> Result<Found, MomentError> {
        let Some(current) = self.generations().current(sport)? else { return Ok(None) };
        // In a box: a search in memory would carry the state of reads.
        let place = Box::pin(self.generations().ledgers().of(sport).find(requested.sought())).await?;
        Ok(Some((current, place)))
    }

    /// Returns true if a later poll of the log may change the answer.
    fn depends_on_the_newest(
        &self,
        sport: Sport,
        requested: RequestedMoment,
        place: Option<&Result<Place, NoPlace>>,
    ) -> bool {
        match requested {
            RequestedMoment::At(instant) => {
                let has_later = matches!(place, Some(Ok(Place { after: Some(_), .. }) | Err(NoPlace::BeforeFirst(_))));
                !has_later && !self.generations().polled_after(sport, instant)
            }
            RequestedMoment::Generation(_) => matches!(place, None | Some(Err(NoPlace::AboveNewest(_)))),
        }
    }

    /// Returns the present moment of a league.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once.
    pub fn now(&self, sport: Sport) -> Result<LeagueMoment, NotReadYet> {
        Ok(LeagueMoment::current(sport, self.generations().current(sport)?, self.clock.now()))
    }

    /// Returns the present moment, for the same reader, after a poll of the league's log that began since the call. Requests that
    /// need one at the same time share it; if the store does not answer, the moment is the one that is known.
    ///
    /// # Errors
    ///
    /// The error of [`Self::now`].
    pub async fn after_a_poll(&self, before: &LeagueMoment) -> Result<LeagueMoment, NotReadYet> {
        // Health reports the failure of a poll.
        let _ = self.generations().poll_on_demand(before.sport, self.clock.uptime()).await;
        Ok(self.now(before.sport)?.read_by(before.reader))
    }

    pub(crate) fn generations(&self) -> &Arc<CurrentGenerations> {
        self.record.generations()
    }

    pub(crate) fn instant(&self) -> DateTime<Utc> {
        self.clock.now()
    }
}
