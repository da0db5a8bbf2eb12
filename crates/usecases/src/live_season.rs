//! The games of the season that predictions are recorded in.

use std::collections::BTreeMap;

use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::identity::identify;
use sports_publication::{GameFacts, LeagueRecord, SeasonArchive};

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
    let Some(head) = releases(log, sport, 1).await?.entries.pop() else { return Ok(None) };
    let Some(season) = head.catalog.live_season() else { return Ok(None) };
    let mut record = LeagueRecord::default();
    for model_type in ModelType::ALL {
        let Some((season, entry)) = head.catalog.live_results(model_type) else { continue };
        let market = Market::new(sport, model_type);
        let archive = archives.read(&SeasonRef::from_artifact(market, season, &entry.artifact)).await?;
        record.archives.insert((model_type, season), archive);
    }
    identify(sport, &mut record);
    let mut games = BTreeMap::new();
    for game in record.archives.values().flat_map(SeasonArchive::games) {
        games.entry(game.facts.key.clone()).or_insert_with(|| game.facts.clone());
    }
    Ok(Some(LiveSeason { season, games: games.into_values().collect() }))
}
