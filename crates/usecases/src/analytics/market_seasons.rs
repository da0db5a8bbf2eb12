use chrono::{DateTime, NaiveDate, Utc};
use sports_calibration::{DatedRatio, DatedTerm, Interval, SplitMix64};
use sports_domain::{DateSpan, Market, Season, TeamSlug};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::{Catalog, ResultsEntry};

use crate::moment::LeagueMoment;
use crate::results::{ResultsError, expect_dates, snapshot};

/// The maximum number of earlier seasons in a density comparison.
const PREVIOUS_SEASONS: usize = 10;

/// A published season archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublishedSeason {
    /// The season, its market and the archive's object.
    pub archive: SeasonRef,
    /// The publication time of the archive.
    pub published_at: DateTime<Utc>,
    /// The date of the last game.
    pub last_date: Option<NaiveDate>,
}

impl PublishedSeason {
    /// Creates the reference to a season from its entry in a catalog.
    pub(super) fn from_entry(market: Market, season: Season, entry: &ResultsEntry) -> Self {
        Self {
            archive: SeasonRef::from_artifact(market, season, &entry.artifact),
            published_at: entry.artifact.published_at,
            last_date: entry.coverage.last_date,
        }
    }
}

/// The season archives that the catalog of a moment names for a market; at least one.
pub(super) struct MarketSeasons<'m> {
    market: Market,
    /// The seasons, oldest first.
    seasons: Vec<PublishedSeason>,
    /// The index of the default season.
    default_season: usize,
    moment: &'m LeagueMoment,
    catalog: &'m Catalog,
}

impl<'m> MarketSeasons<'m> {
    /// Returns the archives of a market.
    ///
    /// # Errors
    ///
    /// [`ResultsError::NothingPublished`] if it has none.
    pub(super) fn at(moment: &'m LeagueMoment, market: Market) -> Result<Self, ResultsError> {
        Self::of_published(moment, market).ok_or(ResultsError::NothingPublished(market))
    }

    fn of_published(moment: &'m LeagueMoment, market: Market) -> Option<Self> {
        let catalog = moment.catalog()?;
        let archived = |(season, entry): (Season, &ResultsEntry)| PublishedSeason::from_entry(market, season, entry);
        let (default_season, _) = catalog.default_season(market.model_type)?;
        let seasons: Vec<_> = catalog.seasons(market.model_type).map(archived).collect();
        let default_season = seasons.iter().position(|season| season.archive.season == default_season)?;
        Some(Self { market, seasons, default_season, moment, catalog })
    }

    /// Returns the default season: the current one, or the newest if no season is current.
    pub(super) fn default_season(&self) -> PublishedSeason {
        self.seasons[self.default_season]
    }

    /// Returns the latest season with a game played against a posted line; `None` before the first such game.
    pub(super) fn current(&self) -> Option<Season> {
        self.catalog.current_season(self.market.model_type).map(|(season, _)| season)
    }

    /// Returns predicted games that the default season's archive does not contain, once per team: games of a season
    /// that is predicted but not played yet.
    pub(super) async fn predicted_elsewhere(&self) -> Result<Vec<(TeamSlug, NaiveDate)>, PortError> {
        let predictions = self.moment.predictions(self.market.model_type).await?;
        let elsewhere = predictions.filter(|predictions| predictions.season() != self.default_season().archive.season);
        let keys = elsewhere.iter().flat_map(|predictions| predictions.games()).map(|game| &game.game.key);
        Ok(keys.flat_map(|key| [(key.away.clone(), key.date), (key.home.clone(), key.date)]).collect())
    }

    /// Returns the newest season, played or not.
    pub(super) fn latest(&self) -> PublishedSeason {
        self.seasons[self.seasons.len() - 1]
    }

    /// Returns a season by its label.
    pub(super) fn named(&self, season: Season) -> Result<PublishedSeason, ResultsError> {
        let found = self.seasons.iter().find(|archived| archived.archive.season == season);
        found.copied().ok_or(ResultsError::NoSuchSeason { market: self.market, season })
    }

    /// Returns a season by its label, or the default season.
    pub(super) fn named_or_default(&self, season: Option<Season>) -> Result<PublishedSeason, ResultsError> {
        season.map_or_else(|| Ok(self.default_season()), |season| self.named(season))
    }

    /// Returns a season by its label, or the newest.
    pub(super) fn named_or_latest(&self, season: Option<Season>) -> Result<PublishedSeason, ResultsError> {
        season.map_or_else(|| Ok(self.latest()), |season| self.named(season))
    }

    /// Checks that some of the dates lie in a season.
    pub(super) fn check_dates(&self, season: PublishedSeason, dates: DateSpan) -> Result<(), ResultsError> {
        let all: Vec<_> = self.catalog.seasons(self.market.model_type).collect();
        expect_dates(self.market, season.archive.season, dates, &all)
    }

    /// Returns the labels of all seasons, oldest first.
    pub(super) fn labels(&self) -> impl Iterator<Item = Season> {
        self.seasons.iter().map(|season| season.archive.season)
    }

    /// Returns every season, newest first.
    pub(super) fn newest_first(&self) -> Vec<PublishedSeason> {
        self.seasons.iter().rev().copied().collect()
    }

    /// Returns up to ten seasons before the default season, newest first.
    pub(super) fn previous(&self) -> Vec<PublishedSeason> {
        self.seasons[..self.default_season].iter().rev().take(PREVIOUS_SEASONS).copied().collect()
    }
}

/// Returns the 95 percent interval of the return of one-unit bets, by resampling dates. Each bet is the date of its
/// game and its profit in units. `name` seeds the random draws together with the season's snapshot, so equal seasons
/// have equal intervals.
pub(super) fn roi_interval(
    season: &SeasonRef,
    name: &str,
    bets: impl Iterator<Item = (NaiveDate, f64)>,
) -> Option<Interval> {
    let snapshot = snapshot(season.market, season.season, &season.object);
    let terms = bets.map(|(date, sum)| DatedTerm { date, sum, weight: 1.0 });
    DatedRatio::from_terms(terms).interval(SplitMix64::from_names(&[snapshot.as_str(), name, "roi"]))
}
