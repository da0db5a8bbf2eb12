//! Search of the log for games that a release reschedules back to an earlier start.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType, Season, eastern_instant};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::slate_update::{AtStart, LeagueRecord, Return, Returns, live_season};
use sports_publication::{Catalog, Release, Reschedule, SeasonArchive};
use sports_slate::is_another;

use super::draft::Stores;
use crate::record::Chain;

/// Finds the reschedules in which either start has passed and whose game had the target start before, each with the
/// game's recorded state when that start passed.
///
/// Reads the log backwards for these reschedules alone, as far as it contains the season.
pub(super) async fn returns(
    log: &dyn PublicationLog,
    stores: &Stores,
    release: &Release,
    newest: Option<&Catalog>,
    at: DateTime<Utc>,
) -> Result<Returns, PortError> {
    let (Some(newest), Some(season)) = (newest, live_season(release, newest)) else { return Ok(Returns::new()) };
    let mut searches: Vec<_> = release.moved.iter().map(|row| Search::new(&row.value, at)).collect();
    searches.retain(|search| search.reschedule.from.has_started(at) || search.reschedule.to.has_started(at));
    let mut chain = Chain::listed(log, newest.sport).await?;
    let mut next = Some(Cow::Borrowed(newest));
    while let Some(catalog) = next.filter(|_| searches.iter().any(|search| !search.is_done())) {
        let Some(games_of_entry) = EntryGames::read(stores, &catalog, season).await? else { break };
        for search in &mut searches {
            search.visit(&games_of_entry, catalog.published_at);
        }
        // An unreadable entry ends the search; `verify` reports it.
        next = chain.before(&catalog).await?.map(|entry| Cow::Owned(entry.catalog.clone()));
    }
    Ok(searches.into_iter().filter_map(Search::found).collect())
}

/// The archives and predictions of one season in one entry.
struct EntryGames(LeagueRecord);

impl EntryGames {
    /// Reads the games of a season from an entry; `None` if the entry does not have the season.
    async fn read(stores: &Stores, catalog: &Catalog, season: Season) -> Result<Option<Self>, PortError> {
        let places: Vec<_> = ModelType::ALL.map(|model_type| (model_type, season)).to_vec();
        let archives = stores.open_archives(catalog, places).await?;
        let mut predictions = BTreeMap::new();
        for (model_type, entry) in &catalog.predictions {
            predictions.insert(*model_type, stores.slates.predictions(catalog.sport, &entry.artifact).await?);
        }
        let record = LeagueRecord { archives, predictions, ..LeagueRecord::default() };
        Ok((!record.archives.is_empty()).then_some(Self(record)))
    }

    /// Returns every start of the games of two teams, with the match id of each.
    fn starts(&self, teams: &GameKey) -> Starts {
        let games = self.0.archives.values().flat_map(SeasonArchive::games).map(|game| &game.facts);
        let games = games.filter(|facts| facts.key.same_teams(teams));
        games.map(|facts| (facts.key.clone(), facts.match_id.clone())).collect()
    }

    fn game(&self, key: &GameKey) -> AtStart {
        let archives = self.0.archives.iter();
        let rows = archives.filter_map(|((of, _), archive)| Some((*of, archive.get(key)?.clone()))).collect();
        let served = self.0.predictions.iter();
        let predictions = served.filter_map(|(of, games)| Some((*of, games.get(key)?.clone()))).collect();
        AtStart { rows, predictions }
    }
}

/// Starts of games of the same teams, with the match id of each.
type Starts = BTreeMap<GameKey, Option<String>>;

/// The state of the search for one reschedule.
struct Search<'r> {
    reschedule: &'r Reschedule,
    /// The instant of the target start if it has passed; `None` if it is in the future.
    target_passed_at: Option<DateTime<Utc>>,
    /// The start that the game had in the entry visited last, traced back from the start that the reschedule leaves.
    followed: GameKey,
    /// The starts of the same teams in that entry.
    newer_starts: Starts,
    had_target: bool,
    state_at_target: Option<AtStart>,
}

impl<'r> Search<'r> {
    fn new(reschedule: &'r Reschedule, at: DateTime<Utc>) -> Self {
        let starts = reschedule.to.time.map(|time| eastern_instant(reschedule.to.date, time));
        let target_passed_at = starts.filter(|starts| *starts <= at);
        let (followed, newer_starts) = (reschedule.from.clone(), Starts::new());
        Self { reschedule, target_passed_at, followed, newer_starts, had_target: false, state_at_target: None }
    }

    const fn is_done(&self) -> bool {
        self.had_target && (self.target_passed_at.is_none() || self.state_at_target.is_some())
    }

    fn visit(&mut self, games_of_entry: &EntryGames, published_at: DateTime<Utc>) {
        let starts = games_of_entry.starts(&self.reschedule.from);
        if !starts.contains_key(&self.followed) {
            self.follow_back(&starts);
        }
        self.had_target |= self.followed == self.reschedule.to && starts.contains_key(&self.followed);
        if self.state_at_target.is_none() && self.target_passed_at.is_some_and(|passed| published_at < passed) {
            self.state_at_target = Some(games_of_entry.game(&self.followed));
        }
        self.newer_starts = starts;
    }

    /// Traces the game to its earlier start: the only start in this entry that the newer entry lacks.
    fn follow_back(&mut self, starts: &Starts) {
        let id = self.newer_starts.get(&self.followed).and_then(Option::as_deref);
        let left = starts.iter().filter(|(key, _)| !self.newer_starts.contains_key(*key));
        let mut left = left.filter(|(_, of)| !is_another(of.as_deref(), id));
        if let (Some((key, _)), None) = (left.next(), left.next()) {
            self.followed = key.clone();
        }
    }

    fn found(self) -> Option<(Reschedule, Return)> {
        let found = match self.target_passed_at {
            None => Return::Ahead,
            Some(_) => Return::Passed(self.state_at_target.unwrap_or_default()),
        };
        self.had_target.then(|| (self.reschedule.clone(), found))
    }
}
