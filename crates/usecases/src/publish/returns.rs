//! Reading back in the log what the record had of games that a release reschedules back.

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

/// Finds, for every stated reschedule of a time that has passed, whether the game had the start it goes to, and what
/// the record had of it when that start passed. The log is read back only for those, as far as it has the season.
pub(super) async fn returns(
    log: &dyn PublicationLog,
    stores: &Stores,
    release: &Release,
    newest: Option<&Catalog>,
    at: DateTime<Utc>,
) -> Result<Returns, PortError> {
    let (Some(newest), Some(season)) = (newest, live_season(release, newest)) else { return Ok(Returns::new()) };
    let mut searches: Vec<_> = release.moved.iter().map(|row| Search::new(&row.value, at)).collect();
    searches.retain(|search| search.made.from.has_started(at) || search.made.to.has_started(at));
    let mut chain = Chain::listed(log, newest.sport).await?;
    let mut next = Some(Cow::Borrowed(newest));
    while let Some(catalog) = next.filter(|_| searches.iter().any(|search| !search.is_done())) {
        let Some(seen) = Seen::read(stores, &catalog, season).await? else { break };
        for search in &mut searches {
            search.look(&seen, catalog.published_at);
        }
        // What cannot be read says nothing of the game; `verify` reports it.
        next = chain.before(&catalog).await?.map(|entry| Cow::Owned(entry.catalog.clone()));
    }
    Ok(searches.into_iter().filter_map(Search::found).collect())
}

/// What an entry has of a season's games: archives and predictions.
struct Seen(LeagueRecord);

impl Seen {
    /// `None` where the entry does not have the season.
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

    /// Every start that a pairing of teams has, and the id there.
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

/// Starts of games of the same teams, each with the game's id.
type Starts = BTreeMap<GameKey, Option<String>>;

/// What is looked for of one reschedule.
struct Search<'r> {
    made: &'r Reschedule,
    /// When the start it leads to passed; `None` while it lies ahead.
    passed: Option<DateTime<Utc>>,
    /// The start that the game had in the entry looked at last, followed back from where the reschedule begins.
    followed: GameKey,
    /// The starts of its teams in that entry.
    newer: Starts,
    was_there: bool,
    then: Option<AtStart>,
}

impl<'r> Search<'r> {
    fn new(made: &'r Reschedule, at: DateTime<Utc>) -> Self {
        let starts = made.to.time.map(|time| eastern_instant(made.to.date, time));
        let passed = starts.filter(|starts| *starts <= at);
        let (followed, newer) = (made.from.clone(), Starts::new());
        Self { made, passed, followed, newer, was_there: false, then: None }
    }

    const fn is_done(&self) -> bool {
        self.was_there && (self.passed.is_none() || self.then.is_some())
    }

    fn look(&mut self, seen: &Seen, published_at: DateTime<Utc>) {
        let starts = seen.starts(&self.made.from);
        if !starts.contains_key(&self.followed) {
            self.follow_back(&starts);
        }
        self.was_there |= self.followed == self.made.to && starts.contains_key(&self.followed);
        if self.then.is_none() && self.passed.is_some_and(|passed| published_at < passed) {
            self.then = Some(seen.game(&self.followed));
        }
        self.newer = starts;
    }

    /// The start that the newer entry does not have any more is where the game came from.
    fn follow_back(&mut self, starts: &Starts) {
        let id = self.newer.get(&self.followed).and_then(Option::as_deref);
        let left = starts.iter().filter(|(key, _)| !self.newer.contains_key(*key));
        let mut left = left.filter(|(_, of)| !is_another(of.as_deref(), id));
        if let (Some((key, _)), None) = (left.next(), left.next()) {
            self.followed = key.clone();
        }
    }

    fn found(self) -> Option<(Reschedule, Return)> {
        let found = match self.passed {
            None => Return::Ahead,
            Some(_) => Return::Passed(self.then.unwrap_or_default()),
        };
        self.was_there.then(|| (self.made.clone(), found))
    }
}
