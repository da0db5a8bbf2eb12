use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{Market, Season, TeamSlug};
use sports_ports::seasons::SeasonRef;
use sports_publication::ResultsEntry;

use crate::record::LeagueGeneration;
use crate::results::ResultsError;

/// How many seasons before the answering one a density grid is set against.
const PREVIOUS_SEASONS: usize = 10;

/// A published season archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedSeason {
    /// Which season of which market, and the archive's object.
    pub archive: SeasonRef,
    /// When it was published.
    pub published_at: DateTime<Utc>,
    /// The date of its last game.
    pub last_date: Option<NaiveDate>,
}

/// Every season archive that a generation names for a market; there is at least one.
pub(super) struct MarketSeasons {
    market: Market,
    /// Oldest first.
    seasons: Vec<PublishedSeason>,
    /// The place of the one that answers where none is named.
    answering: usize,
    league: Arc<LeagueGeneration>,
}

impl MarketSeasons {
    /// The archives of a market; `None` where it has none.
    pub(super) fn in_generation(league: Arc<LeagueGeneration>, market: Market) -> Option<Self> {
        let archived = |(season, entry): (Season, &ResultsEntry)| PublishedSeason {
            archive: SeasonRef::from_artifact(market, season, &entry.artifact),
            published_at: entry.artifact.published_at,
            last_date: entry.coverage.last_date,
        };
        let catalog = league.catalog();
        let (answering, _) = catalog.default_season(market.model_type)?;
        let seasons: Vec<_> = catalog.seasons(market.model_type).map(archived).collect();
        let answering = seasons.iter().position(|season| season.archive.season == answering)?;
        Some(Self { market, seasons, answering, league })
    }

    /// The season that answers where none is named: the current one, or the newest while none is.
    pub(super) fn answering(&self) -> PublishedSeason {
        self.seasons[self.answering]
    }

    /// The latest season with a game played against a posted line; `None` before the first such game.
    pub(super) fn current(&self) -> Option<Season> {
        self.league.catalog().current_season(self.market.model_type).map(|(season, _)| season)
    }

    /// Predicted games that the answering season's archive does not hold, once for each team: those of a season that
    /// is predicted and not yet played.
    pub(super) fn predicted_elsewhere(&self) -> Vec<(TeamSlug, NaiveDate)> {
        let predictions = self.league.predictions.get(&self.market.model_type);
        let elsewhere = predictions.filter(|predictions| predictions.season() != self.answering().archive.season);
        let keys = elsewhere.into_iter().flat_map(|predictions| predictions.games()).map(|game| &game.game.key);
        keys.flat_map(|key| [(key.away.clone(), key.date), (key.home.clone(), key.date)]).collect()
    }

    /// The newest season, played or not.
    pub(super) fn latest(&self) -> PublishedSeason {
        self.seasons[self.seasons.len() - 1]
    }

    /// One season by its label.
    pub(super) fn named(&self, season: Season) -> Result<PublishedSeason, ResultsError> {
        let found = self.seasons.iter().find(|archived| archived.archive.season == season);
        found.copied().ok_or(ResultsError::NoSuchSeason { market: self.market, season })
    }

    /// One season by its label, or the one that answers where none is named.
    pub(super) fn named_or_answering(&self, season: Option<Season>) -> Result<PublishedSeason, ResultsError> {
        season.map_or_else(|| Ok(self.answering()), |season| self.named(season))
    }

    /// Every season, newest first.
    pub(super) fn newest_first(&self) -> Vec<PublishedSeason> {
        self.seasons.iter().rev().copied().collect()
    }

    /// The ten seasons before the answering one, or as many as there are, newest first.
    pub(super) fn previous(&self) -> Vec<PublishedSeason> {
        self.seasons[..self.answering].iter().rev().take(PREVIOUS_SEASONS).copied().collect()
    }
}
