//! The entries of the record around a season, proved by their links from the newest down.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::{ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{ArtifactRef, Catalog, Generation, ReleaseId};

use crate::record::Turns;
use crate::record::past::in_turn;

/// The number of entries read concurrently.
pub(super) const AT_ONCE: usize = 16;

/// An entry without its archives.
#[derive(Debug, Clone)]
pub(super) struct EntryFacts {
    pub(super) generation: Generation,
    pub(super) digest: ObjectHash,
    previous: Option<ObjectHash>,
    pub(super) published_at: DateTime<Utc>,
    pub(super) release_id: ReleaseId,
    /// The season that is current in the entry.
    pub(super) season: Season,
    pub(super) odds: Option<ArtifactRef>,
    pub(super) predictions: BTreeMap<ModelType, ArtifactRef>,
}

impl From<LogEntry> for EntryFacts {
    fn from(LogEntry { catalog, digest, .. }: LogEntry) -> Self {
        let season = season_of_odds(&catalog);
        let predictions = catalog.predictions.into_iter().map(|(of, entry)| (of, entry.artifact));
        Self {
            generation: catalog.generation,
            digest,
            previous: catalog.previous,
            published_at: catalog.published_at,
            release_id: catalog.release_id,
            season,
            odds: catalog.odds,
            predictions: predictions.collect(),
        }
    }
}

/// Returns the season that the odds of an entry are of.
#[must_use]
pub fn season_of_odds(catalog: &Catalog) -> Season {
    catalog.live_season().unwrap_or_else(|| Season::around(catalog.sport, catalog.slate_date))
}

/// The place in the record from which entries are read down, and the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descent {
    pub(super) sport: Sport,
    /// The newest entry to be read.
    pub(super) top: (Generation, ObjectHash),
    /// The entry that was read before, which is not read again.
    pub(super) known: Option<(Generation, ObjectHash)>,
    /// The entry that was the newest at this instant is the last to be read.
    pub(super) from: DateTime<Utc>,
}

/// The entries of a descent.
pub(super) struct Descended {
    /// The entries, oldest first.
    pub(super) entries: Vec<EntryFacts>,
    pub(super) end: DescentEnd,
}

/// The end of a descent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// It reached the entry that was read before.
    Known,
    /// The record does not continue the entry that was read before.
    Elsewhere,
    /// It reached the beginning of its time.
    Time,
    /// The record has no older entry.
    First,
}

impl Descent {
    /// Reads the entries, each once. A number whose content is unknown fails it, unless the entries beside it are linked.
    pub(super) async fn read(self, log: &Arc<dyn PublicationLog>, turns: &dyn Turns) -> Result<Descended, PortError> {
        let numbers = match self.known {
            Some((known, _)) => log.numbers_after(self.sport, known).await?,
            None => log.numbers(self.sport).await?,
        };
        let end = numbers.partition_point(|number| *number <= self.top.0);
        let (mut entries, mut next) = (Vec::new(), self.top.1);
        for chunk in numbers[..end].rchunks(AT_ONCE) {
            for read in self.chunk(log, turns, chunk.to_vec()).await? {
                let Some(entry) = read.filter(|entry| entry.digest == next) else { continue };
                let (previous, is_last) = (entry.previous, entry.published_at <= self.from);
                entries.push(entry);
                match previous {
                    None => return Ok(Descended::of(entries, DescentEnd::First)),
                    Some(_) if is_last => return Ok(Descended::of(entries, DescentEnd::Time)),
                    Some(previous) => next = previous,
                }
            }
        }
        let oldest = entries.last().map(|entry| entry.generation);
        match self.known {
            Some((_, digest)) if digest == next => Ok(Descended::of(entries, DescentEnd::Known)),
            Some(_) => Ok(Descended::of(entries, DescentEnd::Elsewhere)),
            // A record may have lost its first entries.
            None if oldest.is_some() && oldest == numbers.first().copied() => {
                Ok(Descended::of(entries, DescentEnd::First))
            }
            None => Err(hole(self.sport, oldest.unwrap_or(self.top.0))),
        }
    }

    /// Reads some numbers, the highest first; unreadable and free ones are `None`.
    async fn chunk(
        &self,
        log: &Arc<dyn PublicationLog>,
        turns: &dyn Turns,
        numbers: Vec<Generation>,
    ) -> Result<Vec<Option<EntryFacts>>, PortError> {
        let (log, sport) = (Arc::clone(log), self.sport);
        let reading = async move {
            let numbers = stream::iter(numbers.into_iter().rev());
            let mut entries = numbers.map(|number| log.entry(sport, number)).buffered(AT_ONCE);
            let mut read = Vec::new();
            while let Some(entry) = entries.next().await {
                read.push(match entry {
                    Ok(entry) => entry.map(EntryFacts::from),
                    Err(PortError::Corrupt { .. }) => None,
                    Err(error) => return Err(error),
                });
            }
            Ok(read)
        };
        in_turn(turns, reading).await
    }
}

impl Descended {
    fn of(mut entries: Vec<EntryFacts>, end: DescentEnd) -> Self {
        entries.reverse();
        Self { entries, end }
    }
}

fn hole(sport: Sport, above: Generation) -> PortError {
    let reason = format!("the entry that entry {above} of {sport} continues cannot be read");
    PortError::corrupt("the publication log", reason)
}
