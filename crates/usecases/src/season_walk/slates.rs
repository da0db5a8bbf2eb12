//! The odds and predictions of entries, each distinct object read once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::content::ObjectHash;
use sports_domain::{ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::movement::{EntrySlate, SeasonMovement};
use sports_publication::{ArtifactRef, Catalog, Generation, Odds, Predictions, ReleaseId};

use crate::record::Slates;

/// The newest artifacts that were noted.
#[derive(Debug, Default)]
pub(super) struct Newest {
    odds: Option<(ArtifactRef, Arc<Odds>)>,
    predictions: BTreeMap<ModelType, (ArtifactRef, Arc<Predictions>)>,
    /// The latest publication time so far, from which the newest entry was current.
    time: DateTime<Utc>,
}

/// The objects of some entries.
#[derive(Default)]
struct Objects {
    odds: BTreeMap<ObjectHash, Arc<Odds>>,
    predictions: BTreeMap<(ModelType, ObjectHash), Arc<Predictions>>,
}

/// An object of an entry.
enum Object {
    Odds(ObjectHash, Odds),
    Predictions(ModelType, ObjectHash, Predictions),
}

/// Reads the slates of entries and notes them, oldest first.
pub(super) async fn note(
    slates: &Slates,
    entries: &[SlateEntry],
    newest: &mut Newest,
    movement: &mut SeasonMovement,
) -> Result<(), PortError> {
    let objects = Objects::read(slates, entries, newest, movement.sport()).await?;
    for entry in entries {
        newest.note(entry, &objects, movement);
    }
    Ok(())
}

impl Newest {
    /// Notes an entry whose objects were read.
    fn note(&mut self, entry: &SlateEntry, objects: &Objects, movement: &mut SeasonMovement) {
        self.time = self.time.max(entry.published_at);
        let odds =
            entry.facts.odds.as_ref().filter(|named| self.odds.as_ref().is_none_or(|(known, _)| known != *named));
        let odds = odds.and_then(|named| Some((named.clone(), Arc::clone(objects.odds.get(&named.object)?))));
        let mut predictions = BTreeMap::new();
        for (model_type, named) in &entry.facts.predictions {
            if self.predictions.get(model_type).is_some_and(|(known, _)| known == named) {
                continue;
            }
            if let Some(read) = objects.predictions.get(&(*model_type, named.object)) {
                predictions.insert(*model_type, (named.clone(), Arc::clone(read)));
            }
        }
        movement.note(&EntrySlate {
            generation: entry.generation,
            published_at: self.time,
            release_id: &entry.facts.release_id,
            season: entry.facts.season,
            odds: odds.as_ref().map(|(named, odds)| (named.source_as_of, &**odds)),
            predictions: predictions
                .iter()
                .map(|(model_type, (named, read))| (*model_type, (named.source_as_of, &**read)))
                .collect(),
        });
        self.odds = odds.or_else(|| self.odds.take());
        self.predictions.extend(predictions);
    }
}

impl Objects {
    /// Reads the distinct objects of entries, but for those that are in memory.
    async fn read(slates: &Slates, entries: &[SlateEntry], newest: &Newest, sport: Sport) -> Result<Self, PortError> {
        let mut objects = Self::default();
        if let Some((named, odds)) = &newest.odds {
            objects.odds.insert(named.object, Arc::clone(odds));
        }
        for (model_type, (named, predictions)) in &newest.predictions {
            objects.predictions.insert((*model_type, named.object), Arc::clone(predictions));
        }
        for object in objects.missing(slates, sport, entries).await? {
            objects.add(object);
        }
        Ok(objects)
    }

    /// Reads the objects of entries that are not in memory.
    async fn missing(&self, slates: &Slates, sport: Sport, entries: &[SlateEntry]) -> Result<Vec<Object>, PortError> {
        let mut named = BTreeMap::new();
        for entry in entries {
            if let Some(odds) = entry.facts.odds.as_ref().filter(|odds| !self.odds.contains_key(&odds.object)) {
                named.insert((None, odds.object), odds.clone());
            }
            for (model_type, predictions) in &entry.facts.predictions {
                if !self.predictions.contains_key(&(*model_type, predictions.object)) {
                    named.insert((Some(*model_type), predictions.object), predictions.clone());
                }
            }
        }
        let mut reads = Vec::new();
        for ((model_type, _), named) in named {
            let slates = slates.clone();
            let read: BoxFuture<'static, _> =
                Box::pin(async move { Object::read(&slates, sport, model_type, &named).await });
            reads.push(read);
        }
        stream::iter(reads).buffer_unordered(AT_ONCE).try_collect().await
    }

    fn add(&mut self, object: Object) {
        match object {
            Object::Odds(name, odds) => _ = self.odds.insert(name, Arc::new(odds)),
            Object::Predictions(of, name, read) => _ = self.predictions.insert((of, name), Arc::new(read)),
        }
    }
}

impl Object {
    /// Reads the predictions of a market, or the odds.
    async fn read(
        slates: &Slates,
        sport: Sport,
        model_type: Option<ModelType>,
        named: &ArtifactRef,
    ) -> Result<Self, PortError> {
        Ok(match model_type {
            Some(of) => Self::Predictions(of, named.object, slates.predictions(sport, named).await?),
            None => Self::Odds(named.object, slates.odds(sport, named).await?),
        })
    }
}

// The facts of an entry that the movement of a season follows from.

/// The number of entries read concurrently, and in one turn.
pub(super) const AT_ONCE: usize = 16;

/// An entry without its archives.
#[derive(Debug, Clone)]
pub(super) struct SlateEntry {
    pub(super) generation: Generation,
    pub(super) published_at: DateTime<Utc>,
    pub(super) facts: SlateFacts,
}

/// The parts of an entry about its slate.
#[derive(Debug, Clone)]
pub(super) struct SlateFacts {
    pub(super) release_id: ReleaseId,
    /// The season that is current in the entry.
    pub(super) season: Season,
    pub(super) odds: Option<ArtifactRef>,
    pub(super) predictions: BTreeMap<ModelType, ArtifactRef>,
}

/// The parts of published slates that an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NeededParts {
    Odds,
    /// The predictions of one market.
    Predictions(ModelType),
    /// The odds and the predictions of one market.
    OddsAndPredictions(ModelType),
}

impl NeededParts {
    /// Removes all other parts from an entry.
    pub(super) fn keep(self, facts: &mut SlateFacts) {
        let (keeps_odds, market) = match self {
            Self::Odds => (true, None),
            Self::Predictions(of) => (false, Some(of)),
            Self::OddsAndPredictions(of) => (true, Some(of)),
        };
        facts.odds.take_if(|_| !keeps_odds);
        facts.predictions.retain(|of, _| Some(*of) == market);
    }
}

impl From<LogEntry> for SlateEntry {
    fn from(LogEntry { catalog, .. }: LogEntry) -> Self {
        let (generation, published_at, season) = (catalog.generation, catalog.published_at, season_of_odds(&catalog));
        let predictions = catalog.predictions.into_iter().map(|(of, entry)| (of, entry.artifact)).collect();
        let facts = SlateFacts { release_id: catalog.release_id, season, odds: catalog.odds, predictions };
        Self { generation, published_at, facts }
    }
}

/// Returns the season that the odds of an entry are of.
pub fn season_of_odds(catalog: &Catalog) -> Season {
    catalog.live_season().unwrap_or_else(|| Season::around(catalog.sport, catalog.slate_date))
}

/// Returns the seasons of which an entry has results, odds or predictions, oldest first. Odds alone can be of the season after
/// that of the predictions.
pub fn known_seasons(catalog: &Catalog) -> BTreeSet<Season> {
    let of_slate = [season_of_odds(catalog), Season::around(catalog.sport, catalog.slate_date)];
    catalog.results.keys().map(|(_, season)| *season).chain(of_slate).collect()
}
