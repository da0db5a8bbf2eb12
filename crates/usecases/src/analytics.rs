//! What is made of a market's graded seasons: which archives a figure is computed from.

mod season;

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use futures::stream::{self, StreamExt, TryStreamExt};
use sports_domain::{Market, Season, TeamSlug, eastern_date};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_ports::{Clock, PortError};
use sports_publication::{Predictions, ResultsEntry};

use crate::generations::CurrentGenerations;
use crate::results::ResultsError;

pub use season::{AnalyseSeasons, SeasonAnalytics};

/// How many seasons before the answering one a density grid is set against.
const PREVIOUS_SEASONS: usize = 10;

/// How many archives are read at once for a figure over many seasons.
const READ_AT_ONCE: usize = 4;

/// Finds the archives that figures are computed from, in the catalog on air; no archive is opened.
#[derive(Clone)]
pub struct Analytics {
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
}

/// A season archive on air.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchivedSeason {
    /// Which season of which market, and where it lies.
    pub archive: SeasonRef,
    /// When it was published.
    pub published_at: DateTime<Utc>,
    /// The date of its last game.
    pub last_date: Option<NaiveDate>,
}

/// Every season archive of a market; there is at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketSeasons {
    market: Market,
    /// Oldest first.
    seasons: Vec<ArchivedSeason>,
    /// The place of the one that answers where none is named.
    answering: usize,
    /// The current one, once a game was played against a posted line.
    current: Option<Season>,
    /// The market's predictions on air.
    predictions: Option<Arc<Predictions>>,
}

impl Analytics {
    /// Answers from what is on air.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, clock }
    }

    /// The Eastern date it is now.
    #[must_use]
    pub fn today(&self) -> NaiveDate {
        eastern_date(self.clock.now())
    }

    /// The archives of a market.
    ///
    /// # Errors
    ///
    /// [`ResultsError`] where the league was not read yet, or the market has no archive.
    pub fn seasons(&self, market: Market) -> Result<MarketSeasons, ResultsError> {
        let nothing = ResultsError::NothingPublished(market);
        let Some(league) = self.generations.current(market.sport)? else { return Err(nothing) };
        let archived = |(season, entry): (Season, &ResultsEntry)| ArchivedSeason {
            archive: SeasonRef { market, season, object: entry.artifact.object },
            published_at: entry.artifact.published_at,
            last_date: entry.coverage.last_date,
        };
        let catalog = league.catalog();
        let (answering, _) = catalog.default_season(market.model_type).ok_or(nothing)?;
        let answering = catalog.seasons(market.model_type).take_while(|(season, _)| *season < answering).count();
        let current = catalog.current_season(market.model_type).map(|(season, _)| season);
        let seasons = catalog.seasons(market.model_type).map(archived).collect();
        let predictions = league.predictions.get(&market.model_type).cloned();
        Ok(MarketSeasons { market, seasons, answering, current, predictions })
    }
}

impl MarketSeasons {
    /// The season that answers where none is named: the current one, or the newest while none is.
    #[must_use]
    pub fn answering(&self) -> ArchivedSeason {
        self.seasons[self.answering]
    }

    /// The latest season with a game played against a posted line; `None` before the first such game.
    #[must_use]
    pub const fn current(&self) -> Option<Season> {
        self.current
    }

    /// Games to come that the answering season's archive does not hold, listed for both teams: those of a
    /// season that is predicted and not yet played.
    #[must_use]
    pub fn predicted_beyond(&self) -> Vec<(&TeamSlug, NaiveDate)> {
        let of_another = |predictions: &&Arc<Predictions>| predictions.season() != self.answering().archive.season;
        let games = self.predictions.iter().filter(of_another).flat_map(|predictions| predictions.games());
        let keys = games.map(|game| &game.game.key);
        keys.flat_map(|key| [(&key.away, key.date), (&key.home, key.date)]).collect()
    }

    /// The newest season, played or not.
    #[must_use]
    pub fn latest(&self) -> ArchivedSeason {
        self.seasons[self.seasons.len() - 1]
    }

    /// One season by its label.
    ///
    /// # Errors
    ///
    /// [`ResultsError::NoSuchSeason`] where it is not published.
    pub fn named(&self, season: Season) -> Result<ArchivedSeason, ResultsError> {
        let found = self.seasons.iter().find(|archived| archived.archive.season == season);
        found.copied().ok_or(ResultsError::NoSuchSeason { market: self.market, season })
    }

    /// Every season, newest first.
    #[must_use]
    pub fn newest_first(&self) -> Vec<ArchivedSeason> {
        self.seasons.iter().rev().copied().collect()
    }

    /// The ten seasons before the answering one, or as many as there are, newest first.
    #[must_use]
    pub fn previous(&self) -> Vec<ArchivedSeason> {
        self.seasons[..self.answering].iter().rev().take(PREVIOUS_SEASONS).copied().collect()
    }
}

/// Opens several seasons, a few at a time; they come in the order they were asked for.
///
/// # Errors
///
/// The first [`PortError`] met.
pub async fn open_all(
    views: &dyn SeasonViews<SeasonAnalytics>,
    seasons: &[ArchivedSeason],
) -> Result<Vec<Arc<SeasonAnalytics>>, PortError> {
    let opening: Vec<_> = seasons.iter().map(|archived| views.view(&archived.archive)).collect();
    stream::iter(opening).buffered(READ_AT_ONCE).try_collect().await
}
