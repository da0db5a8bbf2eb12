//! The openings of a season: what an audit needs the numbers of.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{Days, NaiveTime};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use sports_domain::{GameKey, eastern_instant};
use sports_ports::PortError;
use sports_publication::{Catalog, ForecastMade, SeasonArchive};
use sports_transparency::audit::{LocatedOpening, StatedLeaves};

use super::ForecastProofs;
use super::opening::Recording;
use crate::record::TreeHead;

/// The number of objects with leaves that are read concurrently.
const READS: usize = 8;

/// The longest time from the first forecast of a season to its first game, in days.
const AHEAD: Days = Days::new(400);

/// The opening of a forecast of a season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonOpening {
    pub located: LocatedOpening,
    /// True for the forecast of a live row.
    pub is_standing: bool,
    /// The game, under its present start.
    pub game: GameKey,
}

impl<V: AsRef<SeasonArchive> + Send + Sync> ForecastProofs<V> {
    /// Opens the commitments to forecasts of a season as of an entry, in the order of their leaves: the last one of each game, also
    /// where it was withdrawn; the last one before each withdrawal and each new start; and those before them that have equal numbers
    /// and are as evident. Rows that no entry with a tree recorded have none, nor have those that contradict their leaf.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn openings(&self, newest: &Catalog, archive: &SeasonArchive) -> Result<Vec<SeasonOpening>, PortError> {
        let Some(head) = TreeHead::of(newest) else { return Ok(Vec::new()) };
        let stated = self.stated(&head, archive).await?;
        let market = archive.market().model_type;
        let (mut openings, mut entries) = (BTreeMap::new(), HashMap::new());
        for (leaf, _) in stated.to_open(archive.season()).into_iter().filter(|(_, of)| *of == market) {
            let Some(recording) = self.entry_of(&mut entries, &stated, &head, leaf).await? else { continue };
            let row = stated.present_key(leaf).and_then(|key| archive.get(key));
            let made = row.map(|row| ForecastMade::of(archive, row));
            // One row that contradicts its leaf must not hide the others: an audit names it, and `verify`, too.
            let Some((located, made)) = recording.opening_of(&*self.seasons, leaf, made).await? else { continue };
            let run = row.filter(|row| row.forecast.is_live()).and_then(|row| row.forecast.origin.as_ref()?.run());
            let is_standing = run.is_some_and(|run| recording.is_of_release(run));
            let Some(game) = stated.game_of(leaf).cloned() else { continue };
            openings.insert(leaf, SeasonOpening { located, is_standing, game: game.clone() });
            let mut before = stated.forecast_before(leaf).filter(|before| !openings.contains_key(before));
            while let Some(earlier) = before {
                let recording = self.entry_of(&mut entries, &stated, &head, earlier).await?;
                let Some(located) = recording.and_then(|entry| entry.opening_with(earlier, &made)) else { break };
                openings.insert(earlier, SeasonOpening { located, is_standing: false, game: game.clone() });
                before = stated.forecast_before(earlier);
            }
        }
        Ok(openings.into_values().collect())
    }

    /// Follows the leaves of a season's games.
    async fn stated(&self, head: &TreeHead, archive: &SeasonArchive) -> Result<StatedLeaves, PortError> {
        let reader = &self.recordings.reader;
        let first_date = archive.games().first().map(|game| game.facts.key.date);
        let begin = first_date.and_then(|date| date.checked_sub_days(AHEAD));
        let first = match begin {
            Some(date) => {
                let begin = eastern_instant(date, NaiveTime::MIN);
                let facts = reader.facts_at((head.sport, head.generation), begin).await?;
                facts.and_then(|facts| facts.tree).map_or(0, |tree| tree.size)
            }
            None => 0,
        };
        let mut starts = Vec::new();
        let mut next = first;
        while next < head.size {
            starts.push(next);
            let tree = reader.facts_of(head, next).await?.tree;
            next = tree.map_or(head.size, |tree| tree.size);
        }
        let entries = stream::iter(starts).map(async |start| reader.entry_of(head, start).await);
        let leaves: Vec<_> = entries.buffered(READS).try_collect().await?;
        let leaves = leaves.into_iter().flat_map(|(_, entry)| entry.leaves).map(|leaf| (*leaf).clone());
        Ok(StatedLeaves::of(first, leaves.collect()))
    }

    /// Returns the entry of a leaf, each read once.
    async fn entry_of(
        &self,
        known: &mut HashMap<u64, Arc<Recording>>,
        stated: &StatedLeaves,
        head: &TreeHead,
        leaf: u64,
    ) -> Result<Option<Arc<Recording>>, PortError> {
        let Some(generation) = stated.leaf(leaf).map(|leaf| leaf.generation) else { return Ok(None) };
        if let Some(recording) = known.get(&generation) {
            return Ok(Some(Arc::clone(recording)));
        }
        let read = self.recordings.of_leaf(head, leaf).await?;
        Ok(read.inspect(|recording| _ = known.insert(generation, Arc::clone(recording))))
    }
}
