//! The games of one season, such as the season that predictions are recorded in.

use std::collections::BTreeMap;

use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::SeasonArchives;
use sports_publication::{Catalog, GameFacts, SeasonArchive};

use crate::record::Archives;
use crate::releases::releases;

/// The season in which a league's predictions are recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveSeason {
    /// The season label.
    pub season: Season,
    /// The games in all markets together, oldest first, each once.
    pub games: Vec<GameFacts>,
}

/// Reads the live season from a league's newest entry; `None` if the league has no predictions yet.
///
/// # Errors
///
/// [`PortError`] if the log or an archive cannot be read.
pub async fn live_season(
    log: &dyn PublicationLog,
    archives: &Archives,
    sport: Sport,
) -> Result<Option<LiveSeason>, PortError> {
    let newest = releases(log, sport, 1).await?.entries.pop().map(|head| head.catalog);
    let Some((catalog, season)) = newest.and_then(|catalog| catalog.live_season().map(|season| (catalog, season)))
    else {
        return Ok(None);
    };
    games_of(archives, &catalog, season).await.map(Some)
}

/// Reads one season from a league's newest entry; `None` if it is not on record.
///
/// # Errors
///
/// [`PortError`] if the log or an archive cannot be read.
pub async fn season_games(
    log: &dyn PublicationLog,
    archives: &Archives,
    season: Season,
    sport: Sport,
) -> Result<Option<LiveSeason>, PortError> {
    let newest = releases(log, sport, 1).await?.entries.pop().map(|head| head.catalog);
    match newest.filter(|catalog| catalog.results.keys().any(|(_, of)| *of == season)) {
        Some(catalog) => games_of(archives, &catalog, season).await.map(Some),
        None => Ok(None),
    }
}

async fn games_of(archives: &Archives, catalog: &Catalog, season: Season) -> Result<LiveSeason, PortError> {
    let found = archives_of(archives, catalog, |(_, of)| of == season).await?;
    let mut games = BTreeMap::new();
    for game in found.values().flat_map(SeasonArchive::games) {
        games.entry(game.facts.key.clone()).or_insert_with(|| game.facts.clone());
    }
    Ok(LiveSeason { season, games: games.into_values().collect() })
}

/// Reads the archives of an entry that are wanted.
///
/// # Errors
///
/// [`PortError`] if an archive cannot be read.
pub async fn archives_of(
    archives: &Archives,
    catalog: &Catalog,
    is_wanted: impl Fn((ModelType, Season)) -> bool,
) -> Result<SeasonArchives, PortError> {
    let mut read = SeasonArchives::new();
    for (place, entry) in catalog.results.iter().filter(|(place, _)| is_wanted(**place)) {
        let market = Market::new(catalog.sport, place.0);
        let archive = archives.read(&SeasonRef::from_artifact(market, place.1, &entry.artifact)).await?;
        read.insert(*place, archive);
    }
    Ok(read)
}
