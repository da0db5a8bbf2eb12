//! Games of the live season without an ending, and the overdue games among them.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use sports_domain::{GameKey, Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::identity::identify;
use sports_publication::{GameFacts, LeagueRecord, SeasonArchive};

/// Games of a league's live season that have no final and were not called off, in all its markets together;
/// oldest first, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnsettledGames(Vec<GameKey>);

impl UnsettledGames {
    /// Returns the games that await settlement on a day: those dated before it.
    #[must_use]
    pub fn awaiting(&self, today: NaiveDate) -> &[GameKey] {
        &self.0[..self.0.partition_point(|key| key.date < today)]
    }

    /// Returns the date of the oldest game.
    #[must_use]
    pub fn oldest(&self) -> Option<NaiveDate> {
        self.0.first().map(|key| key.date)
    }
}

impl FromIterator<GameKey> for UnsettledGames {
    fn from_iter<I: IntoIterator<Item = GameKey>>(keys: I) -> Self {
        Self(keys.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// Whether a game awaits settlement on a day, by the rule of [`UnsettledGames::awaiting`].
#[must_use]
pub fn awaits_settlement(facts: &GameFacts, today: NaiveDate) -> bool {
    !facts.is_over() && facts.key.date < today
}

/// Reads the live season off a league's newest entry; `None` where nothing was ever predicted.
///
/// # Errors
///
/// [`PortError`] when the log or an archive cannot be read.
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
