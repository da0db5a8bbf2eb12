//! The differences between a record before and after a release, and the source times of changed content.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType, Season, eastern_instant};
use sports_ledger::entry_before;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::identity::{Move, Resolution};
use sports_publication::registry::{Registry, VersionChange};
use sports_publication::slate_update::{AtStart, Returns, SlateReport};
use sports_publication::{ArtifactRef, Catalog, Exceptions, LeagueRecord, Release, ResultsEntry, SeasonArchive};

use super::draft::{ArtifactTimes, Draft, NewPredictions, Stores, named};
use super::{ModelsReport, SeasonChange};

/// The changes that a release makes.
pub(super) struct ReleaseReport {
    pub(super) seasons: Vec<SeasonChange>,
    pub(super) slate: SlateReport,
    pub(super) exceptions: Exceptions,
    pub(super) models: ModelsReport,
}

/// A record before and after a release.
pub(super) struct Revised<'r> {
    pub(super) release: &'r Release,
    pub(super) before: LeagueRecord,
    pub(super) after: LeagueRecord,
    /// The registry of models, if the release changes it.
    pub(super) registry: Option<Registry>,
    /// The versions of models that the release declares.
    pub(super) new_versions: Vec<VersionChange>,
    /// Games that the release gives another key or season.
    pub(super) moves: Vec<Move>,
    /// The publication instant of the first odds newer than the release's predictions.
    pub(super) unknown_since: Option<DateTime<Utc>>,
}

impl Revised<'_> {
    /// Drafts the next entry: changed content is stored anew; predictions and archives that were published again
    /// unchanged get new times.
    pub(super) fn draft(mut self, mut catalog: Catalog, report: ReleaseReport) -> Draft<ReleaseReport> {
        catalog.exceptions = report.exceptions.clone();
        catalog.frozen_games.clone_from(&report.slate.frozen);
        catalog.listed_ahead.clone_from(&report.slate.listed_ahead);
        let mut draft = Draft::from_catalog(catalog, report);
        self.odds(&mut draft);
        self.predictions(&mut draft);
        draft.models = self.registry.take();
        draft.changes.models = std::mem::take(&mut self.new_versions);
        self.archives(&mut draft);
        draft
    }

    fn odds(&self, draft: &mut Draft<ReleaseReport>) {
        let (release, at) = (self.release, draft.catalog.published_at);
        let takes_odds = release.odds.is_some() && !draft.report.slate.odds_repeated;
        let times = ArtifactTimes { source_as_of: release.odds_as_of().unwrap_or(at), slate_date: release.slate_date };
        if takes_odds {
            draft.odds = self.after.odds.clone().map(|odds| (odds, times));
        } else if self.after.odds != self.before.odds {
            let times = draft.catalog.odds.as_ref().map_or(times, ArtifactTimes::from_artifact);
            draft.odds = self.after.odds.clone().map(|odds| (odds, times));
        }
        if self.after.openers != self.before.openers {
            draft.openers = Some((self.after.openers.clone(), times));
        }
        if takes_odds {
            for entry in draft.catalog.predictions.values_mut() {
                if times.source_as_of > entry.artifact.source_as_of {
                    entry.newer_odds_since.get_or_insert(at);
                }
            }
        }
    }

    fn predictions(&self, draft: &mut Draft<ReleaseReport>) {
        let (release, at) = (self.release, draft.catalog.published_at);
        let followed = |key: &GameKey| {
            let made = self.moves.iter().find(|made| made.made.from == *key);
            made.map_or_else(|| key.clone(), |made| made.made.to.clone())
        };
        for (model_type, predictions) in &self.after.predictions {
            let entry = draft.catalog.predictions.get(model_type);
            let new_predictions = draft.report.slate.markets.get(model_type).filter(|market| !market.repeated);
            let (times, held_games) = match (new_predictions, entry) {
                (Some(market), _) => {
                    let source_as_of = release.predictions_as_of().unwrap_or(at);
                    (
                        ArtifactTimes { source_as_of, slate_date: release.slate_date },
                        market.held.iter().cloned().collect(),
                    )
                }
                (None, Some(entry)) if self.before.predictions.get(model_type) != Some(predictions) => {
                    (ArtifactTimes::from_artifact(&entry.artifact), entry.held_games.iter().map(followed).collect())
                }
                _ => continue,
            };
            let newer_odds_since = match new_predictions {
                Some(_) => self.newer_odds_since(draft, times),
                None => entry.and_then(|entry| entry.newer_odds_since),
            };
            let predictions = predictions.clone();
            draft.predictions.push(NewPredictions { predictions, times, held_games, newer_odds_since });
        }
    }

    /// Returns the time since which predictions with these times lack the published odds; `None` if they already
    /// include the odds.
    fn newer_odds_since(&self, draft: &Draft<ReleaseReport>, times: ArtifactTimes) -> Option<DateTime<Utc>> {
        let new_odds_as_of = draft.odds.as_ref().map(|(_, odds)| odds.source_as_of);
        let odds_as_of = new_odds_as_of.or(draft.catalog.odds.as_ref().map(|odds| odds.source_as_of))?;
        (odds_as_of > times.source_as_of).then(|| self.unknown_since.unwrap_or(draft.catalog.published_at))
    }

    fn archives(self, draft: &mut Draft<ReleaseReport>) {
        // A market of a replaced season that the release does not have.
        draft
            .catalog
            .results
            .retain(|place, _| self.after.archives.contains_key(place) || !self.before.archives.contains_key(place));
        for (place, archive) in self.after.archives {
            let (model_type, season) = place;
            let history = self.release.history.iter().find(|history| history.season == season);
            let imported = history.is_some_and(|history| history.touched().contains(&model_type));
            let market = draft.report.slate.markets.get(&model_type);
            let forecast = market.is_some_and(|market| !market.repeated) && self.release.season == Some(season);
            let entry = draft.catalog.results.get(&place);
            let times = match entry {
                Some(entry) if !imported && !forecast => ArtifactTimes::from_artifact(&entry.artifact),
                entry => stamp_of(self.release, entry.map(|entry| &entry.artifact), draft.catalog.published_at),
            };
            if self.before.archives.get(&place) == Some(&archive) {
                if let Some(entry) = entry.filter(|_| forecast) {
                    let content = (entry.artifact.object, entry.artifact.bytes);
                    let artifact = named(&draft.catalog, content, times);
                    draft.catalog.results.entry(place).and_modify(|entry| entry.artifact = artifact);
                }
            } else if archive.games().is_empty() && !self.moves.is_empty() {
                // Its last game is of another season now.
                draft.catalog.results.remove(&place);
            } else if entry.is_some() || !archive.games().is_empty() {
                // An archive with preseason games alone is not stored.
                draft.archives.push((archive, times));
            }
        }
        draft.compare_rows(&self.before.archives);
    }
}

/// Returns the times for content of a release. The slate date of an existing archive never moves backwards.
fn stamp_of(release: &Release, existing: Option<&ArtifactRef>, at: DateTime<Utc>) -> ArtifactTimes {
    let slate_date = existing.map_or(release.slate_date, |existing| existing.slate_date.max(release.slate_date));
    ArtifactTimes { source_as_of: release.run_completed_at().unwrap_or(at), slate_date }
}

// The search of the log for the recorded state of games that get a start in the past by a release.

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
    let has_closed = |made: &Move| made.made.from.time.is_some() && made.made.from.has_started(at);
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
