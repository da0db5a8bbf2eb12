//! The live rows of the newest archives against the leaves that committed to their forecasts.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, LineColumn, ModelName, ModelType};
use sports_publication::registry::VersionChange;
use sports_publication::{
    ArchivedGame, Catalog, EntryChanges, ForecastMade, Generation, ReleaseId, RowChanges, SeasonArchive,
};

/// The forecasts to which the leaves of a log commit, under the present starts of their games.
#[derive(Default)]
pub(super) struct CommittedForecasts {
    /// The releases of all entries.
    releases: HashSet<String>,
    /// The first entry with a version of each model.
    versions: BTreeMap<ModelName, Generation>,
    games: HashMap<(ModelType, GameKey), CommittedGame>,
}

/// The leaves of a game in one market.
#[derive(Default)]
struct CommittedGame {
    /// The forecasts and, as `None`, the withdrawals, oldest first.
    changes: Vec<(DateTime<Utc>, Option<CommittedForecast>)>,
    /// The place of the forecast that counts.
    standing: Option<usize>,
    /// True once the game's start has passed: another start changes its forecast no longer.
    is_closed: bool,
    has_row: bool,
}

/// The forecast of one leaf.
struct CommittedForecast {
    generation: Generation,
    release_id: ReleaseId,
    made: ForecastMade,
}

impl CommittedForecasts {
    /// Follows the leaves of an entry, from which these changes follow.
    pub(super) fn follow(&mut self, entry: &Catalog, changes: EntryChanges) {
        let (at, generation, release_id) = (entry.published_at, entry.generation, &entry.release_id);
        self.releases.insert(release_id.to_string());
        for VersionChange { model, .. } in changes.models {
            self.versions.entry(model).or_insert(generation);
        }
        let RowChanges { moved, withdrawn, forecast, .. } = changes.rows;
        let mut arrived = Vec::new();
        for (from, (to, _)) in moved {
            for model_type in ModelType::ALL {
                let Some(mut game) = self.games.remove(&(model_type, from.clone())) else { continue };
                game.follow(&from, &to, at);
                arrived.push(((model_type, to.clone()), game));
            }
        }
        // All at once: two games can exchange their starts.
        self.games.extend(arrived);
        for place in withdrawn.into_keys() {
            self.games.entry(place).or_default().add(at, None);
        }
        for (place, made) in forecast {
            let committed = CommittedForecast { generation, release_id: release_id.clone(), made };
            self.games.entry(place).or_default().add(at, Some(committed));
        }
    }

    /// Compares the live rows of a newest archive with their leaves; returns those that differ, in words.
    pub(super) fn compare(&mut self, archive: &SeasonArchive) -> Vec<String> {
        let model_type = archive.market().model_type;
        let rows = archive.games().iter().filter(|game| game.forecast.is_live());
        let differing = rows.filter_map(|game| {
            let reason = self.difference(archive, game)?;
            Some(format!("{} {model_type}: {reason}", game.facts.key))
        });
        differing.collect()
    }

    /// Returns the games whose leaves have no row in the archives that were compared, in words.
    pub(super) fn without_row(&self) -> Vec<String> {
        let gone = self.games.iter().filter_map(|((model_type, game), committed)| {
            let standing = committed.standing().filter(|_| !committed.has_row)?;
            Some(format!("{game} {model_type}: entry {} has a leaf, and no live row has it", standing.generation))
        });
        gone.collect()
    }

    fn difference(&mut self, archive: &SeasonArchive, game: &ArchivedGame) -> Option<String> {
        let Self { releases, versions, games } = self;
        let run = game.forecast.origin.as_ref().and_then(|origin| origin.run());
        let committed = games.get_mut(&(archive.market().model_type, game.facts.key.clone()));
        let standing = committed.and_then(|committed| {
            committed.has_row = true;
            committed.standing()
        });
        match standing {
            Some(standing) if run == Some(standing.release_id.as_str()) => {
                let name = standing.other_number(&ForecastMade::of(archive, game), versions)?;
                Some(format!("{name} is another number than in the leaf of entry {}", standing.generation))
            }
            Some(CommittedForecast { generation, release_id, .. }) => {
                let run = run.unwrap_or("no release");
                Some(format!("its row names {run}, and its leaf is one of entry {generation}, {release_id}"))
            }
            // A row that names another release, or none, was imported.
            None => {
                let run = run.filter(|run| releases.contains(*run))?;
                Some(format!("its row names the release {run} of this log, and no leaf stands for it"))
            }
        }
    }
}

impl CommittedGame {
    fn standing(&self) -> Option<&CommittedForecast> {
        self.standing.and_then(|place| self.changes[place].1.as_ref())
    }

    fn add(&mut self, at: DateTime<Utc>, forecast: Option<CommittedForecast>) {
        self.standing = forecast.is_some().then_some(self.changes.len());
        self.changes.push((at, forecast));
    }

    /// Gives the game another start. An open game whose new start has passed has the forecast of that start again, as
    /// `publish` restores it.
    fn follow(&mut self, from: &GameKey, to: &GameKey, at: DateTime<Utc>) {
        self.is_closed |= from.time.is_some() && from.has_started(at);
        if !self.is_closed && to.time.is_some() && to.has_started(at) {
            self.standing = self.changes.iter().rposition(|(at, _)| !to.has_started(*at));
        }
    }
}

impl CommittedForecast {
    /// Returns the name of a line or a model that has another value in the row. A model without a version so far may have been
    /// declared later, with a column that was on record.
    fn other_number(&self, row: &ForecastMade, versions: &BTreeMap<ModelName, Generation>) -> Option<String> {
        let other_line = |column: &&LineColumn| self.made.lines.value(**column) != row.lines.value(**column);
        if let Some(column) = LineColumn::ALL.iter().find(other_line) {
            return Some(column.name().to_owned());
        }
        let (committed, present) = (&self.made.probabilities, &row.probabilities);
        let gone = committed.iter().find(|value| !present.contains(value));
        let came = present.iter().find(|(model, _)| {
            let was_known = || versions.get(model).is_some_and(|since| *since <= self.generation);
            !committed.iter().any(|(of, _)| of == model) && (model.column().is_some() || was_known())
        });
        gone.or(came).map(|(model, _)| model.to_string())
    }
}
