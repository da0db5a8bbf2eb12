//! The newest entry of a log, and the numbers above it that do not continue the record.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, stream};
use sports_domain::Sport;
use sports_ports::publication::{LogEntry, OtherForm, PublicationLog, Unopened};
use sports_ports::{PortError, error_chain};
use sports_publication::{Catalog, ClockSource, Generation};

use crate::EntryFacts;

/// The numbers that are read at first: the newest entry and the one that it continues.
const TOP: usize = 2;

/// The numbers that are read at a time below them.
const AT_ONCE: usize = 64;

/// The newest entry of a log.
pub struct Head {
    /// The numbers in use, lowest first.
    pub numbers: Vec<Generation>,
    /// `None` if no number of the log has an entry of the record.
    pub newest: Option<Newest>,
    /// The numbers above the newest entry, lowest first.
    pub beyond: Vec<Beyond>,
}

/// The newest entry and its link.
#[derive(Clone)]
pub struct Newest {
    pub entry: Arc<LogEntry>,
    pub link: Link,
}

/// The relation of the newest entry to the number right below it.
#[derive(Clone)]
pub enum Link {
    /// The entry is the first.
    First,
    /// The entry continues this one.
    Proven(Arc<LogEntry>),
    /// The number below cannot be read, so the link is neither proved nor broken.
    Unknown,
    /// The log has no number below, although the entry continues another.
    Rootless,
}

/// A number above the newest entry.
#[derive(Debug, Clone)]
pub struct Beyond {
    pub generation: Generation,
    pub reason: NotLinked,
}

/// The reason for which a number does not continue the record.
#[derive(Debug, Clone)]
pub enum NotLinked {
    /// The content is no entry of this league with this number, or damaged.
    Unreadable(Arc<PortError>),
    /// The entry does not continue the number right below.
    Unlinked { published_at: DateTime<Utc> },
}

impl NotLinked {
    /// Returns true if the entry may be left of lost history above `newest`: it was published later, or no entry is left.
    pub fn may_be_lost_history(&self, newest: Option<&Catalog>) -> bool {
        match self {
            Self::Unreadable(_) => false,
            Self::Unlinked { published_at } => newest.is_none_or(|newest| newest.published_at < *published_at),
        }
    }

    /// Returns true if the number may be an entry of the record that this program or this person cannot read.
    pub fn may_be_an_entry(&self) -> bool {
        match self {
            Self::Unreadable(error) => {
                matches!(&**error, PortError::Corrupt { source, .. } if source.is::<OtherForm>() || source.is::<Unopened>())
            }
            Self::Unlinked { .. } => false,
        }
    }
}

impl fmt::Display for NotLinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => f.write_str(&error_chain(&**error)),
            Self::Unlinked { .. } => f.write_str("it does not continue the record"),
        }
    }
}

/// The content of a number.
pub(crate) enum Read {
    Entry(Box<LogEntry>),
    Unreadable(PortError),
    Free,
}

/// Reads a number.
pub(crate) async fn read(log: &dyn PublicationLog, sport: Sport, generation: Generation) -> Result<Read, PortError> {
    match log.entry(sport, generation).await {
        Ok(entry) => Ok(entry.map_or(Read::Free, |entry| Read::Entry(Box::new(entry)))),
        Err(error @ PortError::Corrupt { .. }) => Ok(Read::Unreadable(error)),
        Err(error @ PortError::Unavailable { .. }) => Err(error),
    }
}

impl Head {
    /// Finds the newest entry of a log, from the highest number down.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read.
    pub async fn read(log: &dyn PublicationLog, sport: Sport) -> Result<Self, PortError> {
        Self::found(log, sport, Search::default()).await
    }

    /// Finds the newest entry whose link is proven, for whoever adds to a log.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read.
    pub async fn proven(log: &dyn PublicationLog, sport: Sport) -> Result<Self, PortError> {
        Self::found(log, sport, Search { needs_proof: true, ..Search::default() }).await
    }

    async fn found(log: &dyn PublicationLog, sport: Sport, mut search: Search) -> Result<Self, PortError> {
        let numbers = log.numbers(sport).await?;
        let (mut left, mut size) = (&numbers[..], TOP);
        while search.newest.is_none() && !left.is_empty() {
            let (below, chunk) = left.split_at(left.len().saturating_sub(size));
            let mut contents = stream::iter(chunk.iter().rev().copied())
                .map(move |number| async move { (number, read(log, sport, number).await) })
                .buffered(AT_ONCE);
            while search.newest.is_none()
                && let Some((number, content)) = contents.next().await
            {
                search.see(number, content?);
            }
            (left, size) = (below, AT_ONCE);
        }
        search.finish();
        search.beyond.sort_by_key(|beyond| beyond.generation);
        let Search { newest, beyond, .. } = search;
        Ok(Self { numbers, newest, beyond })
    }
}

/// The state of the search for the newest entry.
#[derive(Default)]
struct Search {
    /// True if an entry above damage is passed over.
    needs_proof: bool,
    newest: Option<Newest>,
    beyond: Vec<Beyond>,
    /// The last readable entry, whose link is not known yet.
    candidate: Option<Box<LogEntry>>,
    /// The unreadable numbers right below the candidate.
    damaged: Vec<Beyond>,
}

impl Search {
    /// Takes the content of the next lower number.
    fn see(&mut self, generation: Generation, content: Read) {
        match content {
            Read::Free => {}
            Read::Unreadable(error) => {
                let damaged = Beyond { generation, reason: NotLinked::Unreadable(Arc::new(error)) };
                let above = self.damaged.last().map(|damaged| damaged.generation);
                let above = above.or(self.candidate.as_ref().map(|candidate| candidate.catalog.generation));
                if !self.needs_proof && above.and_then(Generation::previous) == Some(generation) {
                    self.damaged.push(damaged);
                } else {
                    self.reject();
                    self.beyond.push(damaged);
                }
            }
            Read::Entry(entry) => {
                let facts = EntryFacts::from(&*entry);
                let is_continued = self.candidate.as_ref().is_some_and(|candidate| {
                    let above = EntryFacts::from(&**candidate);
                    if self.damaged.is_empty() {
                        above.continues(&facts)
                    } else {
                        facts.published_at < above.published_at
                    }
                });
                match self.candidate.take() {
                    Some(candidate) if is_continued => {
                        let link = if self.damaged.is_empty() { Link::Proven(Arc::new(*entry)) } else { Link::Unknown };
                        self.newest = Some(Newest { entry: Arc::new(*candidate), link });
                    }
                    candidate => {
                        self.candidate = candidate;
                        self.reject();
                        self.newest =
                            facts.is_first().then(|| Newest { entry: Arc::new((*entry).clone()), link: Link::First });
                        self.candidate = self.newest.is_none().then_some(entry);
                    }
                }
            }
        }
    }

    /// Passes over the candidate, which continues nothing.
    fn reject(&mut self) {
        let unlinked = |entry: Box<LogEntry>| Beyond {
            generation: entry.catalog.generation,
            reason: NotLinked::Unlinked { published_at: entry.catalog.published_at },
        };
        self.beyond.extend(self.candidate.take().map(unlinked));
        self.beyond.append(&mut self.damaged);
    }

    /// Decides about the lowest readable entry, below which the log has none.
    fn finish(&mut self) {
        if self.newest.is_some() {
            return;
        }
        match self.candidate.take() {
            Some(entry) if !self.damaged.is_empty() => {
                self.newest = Some(Newest { entry: Arc::new(*entry), link: Link::Unknown });
            }
            Some(entry) if entry.catalog.generation > Generation::FIRST => {
                self.newest = Some(Newest { entry: Arc::new(*entry), link: Link::Rootless });
            }
            candidate => {
                self.candidate = candidate;
                self.reject();
            }
        }
    }
}

/// Returns the newest entry of a league's record; `None` if the record is empty.
///
/// # Errors
///
/// [`PortError`] if the log cannot be read.
pub async fn newest_entry(log: &dyn PublicationLog, sport: Sport) -> Result<Option<LogEntry>, PortError> {
    Ok(Head::read(log, sport).await?.newest.map(|newest| Arc::unwrap_or_clone(newest.entry)))
}

/// Returns the entry that an entry continues; `None` if it is the first, or the entry before is missing or altered.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the log cannot be read.
pub async fn entry_before(log: &dyn PublicationLog, catalog: &Catalog) -> Result<Option<LogEntry>, PortError> {
    let Some((number, previous)) = catalog.generation.previous().zip(catalog.previous) else { return Ok(None) };
    Ok(match read(log, catalog.sport, number).await? {
        Read::Entry(before) if before.digest == previous => Some(*before),
        Read::Entry(_) | Read::Unreadable(_) | Read::Free => None,
    })
}

/// The numbers of which the first readable one is searched for.
const FIRST_ENTRIES: usize = 16;

/// Returns true if any entry of the log up to `newest` was published with a time set by hand, which makes the record a
/// simulation.
///
/// Publishing never appends such an entry to a record with system times, so the newest entry and the first readable one
/// decide; `verify` checks all entries.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the log cannot be read.
pub async fn is_simulated(log: &dyn PublicationLog, newest: &Catalog) -> Result<bool, PortError> {
    if newest.clock == ClockSource::Set {
        return Ok(true);
    }
    let numbers = log.numbers(newest.sport).await?;
    for number in numbers.into_iter().take_while(|number| *number < newest.generation).take(FIRST_ENTRIES) {
        if let Read::Entry(first) = read(log, newest.sport, number).await? {
            return Ok(first.catalog.clock == ClockSource::Set);
        }
    }
    Ok(false)
}
