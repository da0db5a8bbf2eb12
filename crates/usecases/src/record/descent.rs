//! The entries of the record from one of them down, proved by their links.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::Generation;

use super::Turns;
use super::past::in_turn;

/// The number of entries read concurrently.
pub(super) const AT_ONCE: usize = 16;

/// An entry of the record, of which a reader keeps some facts.
#[derive(Debug, Clone)]
pub(super) struct ReadEntry<F> {
    pub(super) generation: Generation,
    pub(super) digest: ObjectHash,
    previous: Option<ObjectHash>,
    pub(super) published_at: DateTime<Utc>,
    pub(super) facts: F,
}

impl<F: From<LogEntry>> From<LogEntry> for ReadEntry<F> {
    fn from(entry: LogEntry) -> Self {
        let (digest, catalog) = (entry.digest, &entry.catalog);
        let (generation, previous, published_at) = (catalog.generation, catalog.previous, catalog.published_at);
        Self { generation, digest, previous, published_at, facts: F::from(entry) }
    }
}

/// The place in the record from which entries are read down, and the end.
pub(super) struct Descent<F> {
    pub(super) sport: Sport,
    /// The newest entry to be read.
    pub(super) top: (Generation, ObjectHash),
    /// The entry that was read before, which is not read again.
    pub(super) known: Option<(Generation, ObjectHash)>,
    pub(super) floor: Floor<F>,
}

/// The last entry to be read, which is read, too.
pub(super) enum Floor<F> {
    /// The entry that was the newest at an instant.
    At(DateTime<Utc>),
    /// The first entry with such facts.
    Of(fn(&F) -> bool),
}

/// The entries of a descent.
pub(super) struct Descended<F> {
    /// The entries, oldest first.
    pub(super) entries: Vec<ReadEntry<F>>,
    pub(super) end: DescentEnd,
}

/// The end of a descent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// It reached the entry that was read before.
    Known,
    /// The record does not continue the entry that was read before.
    Elsewhere,
    /// It reached its floor.
    Floor,
    /// The record has no older entry.
    First,
}

impl<F> Floor<F> {
    fn is_reached(&self, entry: &ReadEntry<F>) -> bool {
        match self {
            Self::At(instant) => entry.published_at <= *instant,
            Self::Of(is_it) => is_it(&entry.facts),
        }
    }
}

impl<F: From<LogEntry> + Send + 'static> Descent<F> {
    /// Reads the entries, each once. A number whose content is unknown fails it, unless the entries beside it are linked.
    pub(super) async fn read(
        self,
        log: &Arc<dyn PublicationLog>,
        turns: &dyn Turns,
    ) -> Result<Descended<F>, PortError> {
        let numbers = match self.known {
            Some((known, _)) => log.numbers_after(self.sport, known).await?,
            None => log.numbers(self.sport).await?,
        };
        let end = numbers.partition_point(|number| *number <= self.top.0);
        let (mut entries, mut next) = (Vec::new(), self.top.1);
        for chunk in numbers[..end].rchunks(AT_ONCE) {
            for read in self.chunk(log, turns, chunk.to_vec()).await? {
                let Some(entry) = read.filter(|entry| entry.digest == next) else { continue };
                let (previous, is_last) = (entry.previous, self.floor.is_reached(&entry));
                entries.push(entry);
                match previous {
                    None => return Ok(Descended::of(entries, DescentEnd::First)),
                    Some(_) if is_last => return Ok(Descended::of(entries, DescentEnd::Floor)),
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
    ) -> Result<Vec<Option<ReadEntry<F>>>, PortError> {
        let (log, sport) = (Arc::clone(log), self.sport);
        let reading = async move {
            let numbers = stream::iter(numbers.into_iter().rev());
            let mut entries = numbers.map(|number| log.entry(sport, number)).buffered(AT_ONCE);
            let mut read = Vec::new();
            while let Some(entry) = entries.next().await {
                read.push(match entry {
                    Ok(entry) => entry.map(ReadEntry::from),
                    Err(PortError::Corrupt { .. }) => None,
                    Err(error) => return Err(error),
                });
            }
            Ok(read)
        };
        in_turn(turns, reading).await
    }
}

impl<F> Descended<F> {
    /// Creates the result of a descent that read these entries, newest first.
    fn of(mut entries: Vec<ReadEntry<F>>, end: DescentEnd) -> Self {
        entries.reverse();
        Self { entries, end }
    }
}

fn hole(sport: Sport, above: Generation) -> PortError {
    let reason = format!("the entry that entry {above} of {sport} continues cannot be read");
    PortError::corrupt("the publication log", reason)
}
