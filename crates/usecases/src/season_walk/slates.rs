//! The odds and predictions of entries, each distinct object read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::{ModelType, Sport};
use sports_movement::{EntrySlate, SeasonMovement};
use sports_ports::PortError;
use sports_publication::{ArtifactRef, Odds, Predictions};

use super::entries::{AT_ONCE, SlateEntry};
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
