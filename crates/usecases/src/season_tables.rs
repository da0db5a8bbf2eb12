//! The seasons of a table with several of them, or with all markets of a league.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::paging::{Limit, SeasonChoice, Snapshot};
use sports_domain::{DateSpan, Market, ModelType, Season, Sport};
use sports_grading::RULES_VERSION;
use sports_ports::seasons::SeasonRef;
use sports_publication::{Catalog, ResultsEntry};

use crate::moment::LeagueMoment;

/// The games of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableSubject {
    /// The graded games of one market.
    Market(Market),
    /// The games of a league with their markets beside each other.
    League(Sport),
}

/// One season of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TableSeason {
    pub season: Season,
    /// The archives of its games: one of a market, or one for each market that has the season.
    pub archives: Vec<SeasonRef>,
    /// The number of games; of a league, that of the market with the most.
    pub games: usize,
    /// The publication time of the newest archive.
    pub last_updated: DateTime<Utc>,
    /// The date of the first game.
    pub first_date: Option<NaiveDate>,
    /// The date of the last game.
    pub last_date: Option<NaiveDate>,
}

/// The error for a choice of seasons that no table can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeasonTableError {
    /// The league or market has no archive.
    #[error("no results are published for {0}")]
    NothingPublished(TableSubject),
    /// There is no archive of this season.
    #[error("no results are published for {subject} in season {season}")]
    NoSuchSeason {
        /// The league or market.
        subject: TableSubject,
        season: Season,
        /// The published seasons, oldest first.
        known: Vec<Season>,
    },
    /// The requested dates lie outside all chosen seasons.
    #[error("no chosen season of {subject} has such dates")]
    OutsideSeasons {
        /// The league or market.
        subject: TableSubject,
        /// The published seasons that have such dates, oldest first.
        seasons: Vec<Season>,
    },
    /// The chosen seasons have more games than a table may have.
    #[error("{seasons} seasons of {subject} have {games} games")]
    TooManyGames {
        /// The league or market.
        subject: TableSubject,
        seasons: usize,
        /// The number of their games.
        games: usize,
        /// The newest of them that a table may have together, oldest first.
        fitting: Vec<Season>,
    },
}

/// The length of a snapshot in hexadecimal digits.
const SNAPSHOT_DIGITS: usize = 16;

/// The most games of a table.
pub const MOST_GAMES: usize = Limit::LARGEST;

impl fmt::Display for TableSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Market(market) => market.fmt(f),
            Self::League(sport) => sport.fmt(f),
        }
    }
}

impl TableSubject {
    pub const fn sport(self) -> Sport {
        match self {
            Self::Market(market) => market.sport,
            Self::League(sport) => sport,
        }
    }

    fn model_types(self) -> Vec<ModelType> {
        match self {
            Self::Market(market) => vec![market.model_type],
            Self::League(_) => ModelType::ALL.into(),
        }
    }
}

/// Returns the chosen seasons that have some of the dates, oldest first. No archive is opened.
///
/// # Errors
///
/// [`SeasonTableError`] if one of them is not published, if none has the dates, or if they have too many games.
pub fn chosen(
    moment: &LeagueMoment,
    subject: TableSubject,
    choice: &SeasonChoice,
    dates: DateSpan,
) -> Result<Vec<TableSeason>, SeasonTableError> {
    let published = published(moment, subject);
    let newest = *published.keys().next_back().ok_or(SeasonTableError::NothingPublished(subject))?;
    let labels = || published.keys().copied().collect();
    if let SeasonChoice::Listed(seasons) = choice
        && let Some(season) = seasons.iter().find(|season| !published.contains_key(season))
    {
        return Err(SeasonTableError::NoSuchSeason { subject, season: *season, known: labels() });
    }
    let is_chosen = |season: &Season| match choice {
        SeasonChoice::All => true,
        SeasonChoice::Listed(seasons) => seasons.contains(season),
    };
    let has_dates = |season: &TableSeason| season.has_dates(dates, season.season == newest && is_chosen(&newest));
    let found: Vec<_> =
        published.values().filter(|season| is_chosen(&season.season) && has_dates(season)).cloned().collect();
    if found.is_empty() {
        let seasons = published.values().filter(|season| has_dates(season)).map(|season| season.season).collect();
        return Err(SeasonTableError::OutsideSeasons { subject, seasons });
    }
    expect_few_games(subject, &found)?;
    Ok(found)
}

/// Returns one season of a table; the default one is the newest default of the markets.
///
/// # Errors
///
/// [`SeasonTableError`] if the season is not published.
pub fn single(
    moment: &LeagueMoment,
    subject: TableSubject,
    season: Option<Season>,
) -> Result<TableSeason, SeasonTableError> {
    let mut published = published(moment, subject);
    let default = |catalog: &Catalog| {
        let of_markets = subject.model_types().into_iter().filter_map(|market| catalog.default_season(market));
        of_markets.map(|(season, _)| season).max()
    };
    let season = season.or_else(|| moment.catalog().and_then(default));
    let season = season.ok_or(SeasonTableError::NothingPublished(subject))?;
    match published.remove(&season) {
        Some(found) => Ok(found),
        None if published.is_empty() => Err(SeasonTableError::NothingPublished(subject)),
        None => Err(SeasonTableError::NoSuchSeason { subject, season, known: published.into_keys().collect() }),
    }
}

fn expect_few_games(subject: TableSubject, found: &[TableSeason]) -> Result<(), SeasonTableError> {
    let games = found.iter().map(|season| season.games).sum();
    if games <= MOST_GAMES || found.len() == 1 {
        return Ok(());
    }
    let (mut together, mut fitting) = (0, Vec::new());
    for season in found.iter().rev() {
        together += season.games;
        // One season is served whatever its size.
        if together > MOST_GAMES && !fitting.is_empty() {
            break;
        }
        fitting.insert(0, season.season);
    }
    Err(SeasonTableError::TooManyGames { subject, seasons: found.len(), games, fitting })
}

impl TableSeason {
    fn of(
        moment: &LeagueMoment,
        subject: TableSubject,
        season: Season,
        entries: &[(ModelType, &ResultsEntry)],
    ) -> Option<Self> {
        let archive = |(model_type, entry): &(ModelType, &ResultsEntry)| {
            moment.season(Market::new(subject.sport(), *model_type), season, &entry.artifact)
        };
        let coverage = || entries.iter().map(|(_, entry)| &entry.coverage);
        Some(Self {
            season,
            archives: entries.iter().map(archive).collect(),
            games: coverage().map(|coverage| coverage.rows).max()?,
            last_updated: entries.iter().map(|(_, entry)| entry.artifact.published_at).max()?,
            first_date: coverage().filter_map(|coverage| coverage.first_date).min(),
            last_date: coverage().filter_map(|coverage| coverage.last_date).max(),
        })
    }

    /// Returns true if the season has some of the dates. Later dates may still come if `is_open`.
    fn has_dates(&self, dates: DateSpan, is_open: bool) -> bool {
        if dates == DateSpan::default() {
            return true;
        }
        let (Some(first), Some(last)) = (self.first_date, self.last_date) else { return false };
        (is_open || !dates.begins_after(last)) && dates.to().is_none_or(|to| first <= to)
    }
}

/// Returns every published season.
fn published(moment: &LeagueMoment, subject: TableSubject) -> BTreeMap<Season, TableSeason> {
    let mut entries: BTreeMap<Season, Vec<(ModelType, &ResultsEntry)>> = BTreeMap::new();
    for model_type in subject.model_types() {
        for (season, entry) in moment.catalog().into_iter().flat_map(|catalog| catalog.seasons(model_type)) {
            entries.entry(season).or_default().push((model_type, entry));
        }
    }
    let table = |(season, of): (Season, Vec<_>)| Some((season, TableSeason::of(moment, subject, season, &of)?));
    entries.into_iter().filter_map(table).collect()
}

/// Returns the snapshot of the seasons of a table: the hash of their labels, archives and grading rules.
pub fn snapshot<'s>(subject: TableSubject, seasons: impl IntoIterator<Item = &'s TableSeason>) -> Snapshot {
    let archives = seasons.into_iter().flat_map(|season| &season.archives);
    let parts = archives
        .flat_map(|archive| [archive.market.to_string(), archive.season.to_string(), archive.object.to_string()])
        .chain([subject.to_string(), RULES_VERSION.to_owned()]);
    let parts: Vec<_> = parts.collect();
    Snapshot::named(ObjectHash::from_parts(parts.iter().map(String::as_bytes)).short(SNAPSHOT_DIGITS))
}

/// Returns the snapshot of the games of a season, or of several, that a public record shows at an instant.
pub fn snapshot_started_by(snapshot: &Snapshot, instant: DateTime<Utc>) -> Snapshot {
    let parts = [snapshot.to_string(), instant.to_rfc3339()];
    Snapshot::named(ObjectHash::from_parts(parts.iter().map(String::as_bytes)).short(SNAPSHOT_DIGITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn season(year: u16, games: usize, dates: Option<(&str, &str)>) -> TableSeason {
        let date = |text: &str| text.parse().expect("a date");
        TableSeason {
            season: Season::starting_in(Sport::Mlb, year).expect("a season"),
            archives: Vec::new(),
            games,
            last_updated: DateTime::UNIX_EPOCH,
            first_date: dates.map(|(first, _)| date(first)),
            last_date: dates.map(|(_, last)| date(last)),
        }
    }

    #[test]
    fn seasons_of_too_many_games_are_refused_with_the_newest_that_fit() {
        let subject = TableSubject::League(Sport::Mlb);
        let refused = |games: &[usize]| {
            let seasons: Vec<_> = (2020..).zip(games).map(|(year, games)| season(year, *games, None)).collect();
            match expect_few_games(subject, &seasons) {
                Err(SeasonTableError::TooManyGames { games, fitting, .. }) => {
                    Some((games, fitting.into_iter().map(Season::first_year).collect::<Vec<_>>()))
                }
                _ => None,
            }
        };
        assert_eq!(refused(&[40_000, 40_000, 20_000]), None);
        assert_eq!(refused(&[40_000, 40_000, 20_001]), Some((100_001, vec![2021, 2022])));
        assert_eq!(refused(&[1, 100_000]), Some((100_001, vec![2021])));
        assert_eq!(refused(&[1, 100_001]), Some((100_002, vec![2021])));
        assert_eq!(refused(&[100_001]), None, "a season is served whatever its size");
    }

    #[test]
    fn a_season_has_dates_that_overlap_its_own_and_an_open_one_also_later_ones() {
        let played = season(2024, 10, Some(("2024-04-01", "2024-10-01")));
        let span = |from: &str, to: &str| {
            let date = |text: &str| (!text.is_empty()).then(|| text.parse().expect("a date"));
            DateSpan::new(date(from), date(to)).expect("a span")
        };
        for (from, to, closed, open) in [
            ("", "", true, true),
            ("2024-10-01", "", true, true),
            ("2024-10-02", "", false, true),
            ("", "2024-04-01", true, true),
            ("", "2024-03-31", false, false),
            ("2023-01-01", "2025-01-01", true, true),
        ] {
            let has = [false, true].map(|is_open| played.has_dates(span(from, to), is_open));
            assert_eq!(has, [closed, open], "{from} to {to}");
        }
        assert!(!season(2024, 0, None).has_dates(span("2024-01-01", ""), true), "without games there are no dates");
    }
}
