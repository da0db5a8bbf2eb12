//! The search of the log for the recorded state of games that get a start in the past by a release.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType, Season, eastern_instant};
use sports_ledger::entry_before;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::identity::{Move, Resolution};
use sports_publication::slate_update::{AtStart, Returns};
use sports_publication::{Catalog, LeagueRecord, ResultsEntry, SeasonArchive};

use super::draft::Stores;

/// Finds the recorded state of every live game that gets a start in the past, as of the time when that start passed.
/// Closed games without a live forecast are searched, too, because theirs may have been withdrawn. The log is read back
/// for these games only, as far as it has a season around their dates.
pub(super) async fn returns(
    log: &dyn PublicationLog,
    stores: &Stores,
    resolution: &Resolution<'_>,
    newest: Option<&Catalog>,
    at: DateTime<Utc>,
) -> Result<Returns, PortError> {
    let Some(newest) = newest else { return Ok(Returns::new()) };
    let has_closed = |made: &Move| made.made.from.has_started(at);
    let may_return = |made: &&Move| if has_closed(made) { made.is_stated } else { made.is_live };
    let moves = resolution.moves().iter().filter(may_return);
    let mut searches: Vec<_> = moves.filter_map(|made| Search::new(made, at)).collect();
    if searches.is_empty() {
        return Ok(Returns::new());
    }
    let mut next = Some(Cow::Borrowed(newest));
    while let Some(catalog) = next.filter(|_| searches.iter().any(|search| search.then.is_none())) {
        let Some(seen) = EntryGames::read(stores, &catalog, &searches).await? else { break };
        for search in &mut searches {
            search.look(&seen, catalog.published_at);
        }
        // An unreadable entry gives no information about the game; `verify` reports it.
        next = entry_before(log, &catalog).await?.map(|entry| Cow::Owned(entry.catalog));
    }
    let found = searches.into_iter();
    Ok(found.map(|search| (search.made.id.to_string(), search.then.unwrap_or_default())).collect())
}

/// The archives of some seasons, the predictions and the odds in one entry.
struct EntryGames(LeagueRecord);

impl EntryGames {
    /// Reads the games around the dates of searches from an entry, in any season, because a season may have been
    /// corrected; `None` if the entry does not have such games.
    async fn read(stores: &Stores, catalog: &Catalog, searches: &[Search<'_>]) -> Result<Option<Self>, PortError> {
        let is_near = |(of, entry): &(&(ModelType, Season), &ResultsEntry)| {
            let nearby = entry.coverage.nearby();
            let mut left = searches.iter().filter(|search| search.then.is_none());
            left.any(|search| {
                search.made.seasons.0 == of.1
                    || nearby.as_ref().is_some_and(|dates| dates.contains(&search.followed.date))
            })
        };
        let places = catalog.results.iter().filter(is_near).map(|(place, _)| *place).collect();
        let archives = stores.open_archives(catalog, places).await?;
        if archives.is_empty() {
            return Ok(None);
        }
        let mut predictions = BTreeMap::new();
        for (model_type, entry) in &catalog.predictions {
            predictions.insert(*model_type, stores.slates.predictions(catalog.sport, &entry.artifact).await?);
        }
        let mut odds = None;
        if let Some(artifact) = &catalog.odds {
            odds = Some(stores.slates.odds(catalog.sport, artifact).await?);
        }
        Ok(Some(Self(LeagueRecord { archives, predictions, odds, ..LeagueRecord::default() })))
    }

    /// Returns the game with an identity, at its start in the entry.
    fn start_of(&self, id: &str) -> Option<&GameKey> {
        let games = self.0.archives.values().flat_map(SeasonArchive::games).map(|game| &game.facts);
        games.filter(|facts| facts.game_id.as_deref() == Some(id)).map(|facts| &facts.key).min()
    }

    fn game(&self, key: &GameKey) -> AtStart {
        let archives = self.0.archives.iter();
        let rows = archives.filter_map(|((of, _), archive)| Some((*of, archive.get(key)?.clone()))).collect();
        let served = self.0.predictions.iter();
        let predictions = served.filter_map(|(of, games)| Some((*of, games.get(key)?.clone()))).collect();
        AtStart { rows, predictions, odds: self.0.odds.as_ref().and_then(|odds| odds.get(key)).cloned() }
    }
}

/// The search for the earlier state of one moved game.
struct Search<'r> {
    made: &'r Move,
    /// The instant at which the new start passed.
    passed: DateTime<Utc>,
    /// The start of the game in the last visited entry, followed back from its present start.
    followed: GameKey,
    then: Option<AtStart>,
}

impl<'r> Search<'r> {
    /// Creates a search; `None` if the start stays or the new start lies ahead.
    fn new(made: &'r Move, at: DateTime<Utc>) -> Option<Self> {
        let to = &made.made.to;
        let passed = eastern_instant(to.date, to.time?);
        let followed = made.made.from.clone();
        (passed <= at && made.made.from != *to).then_some(Self { made, passed, followed, then: None })
    }

    fn look(&mut self, seen: &EntryGames, published_at: DateTime<Utc>) {
        if let Some(key) = seen.start_of(&self.made.id) {
            self.followed = key.clone();
        }
        if self.then.is_none() && published_at < self.passed {
            self.then = Some(seen.game(&self.followed));
        }
    }
}
