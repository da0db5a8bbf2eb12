//! The hash chain of a log: separates the entries of the record from stray files.
//!
//! An entry continues the record if it names the hash of an entry below it. This identifies a file that does not belong
//! to the log (a stray file, a copy, another record's entry) at any number; readers skip such files.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{Catalog, ClockSource, Generation};

use crate::record::run_ends;

/// The number of readable entries searched below an entry for its predecessor; strays among readable entries are few.
/// Unreadable files do not count, since each is read once.
const BELOW: usize = 16;

/// A league's log with its numbers as listed, checked from the highest number down.
pub(crate) struct Chain<'l> {
    log: &'l dyn PublicationLog,
    sport: Sport,
    numbers: Vec<Generation>,
    /// The count of numbers, from the lowest, that are not checked yet.
    left: usize,
    /// The content read so far of numbers that are not checked yet.
    read: HashMap<Generation, Arc<Read>>,
}

/// The content of a number of the log.
enum Read {
    Entry(Arc<LogEntry>),
    Unreadable(PortError),
    /// The number was listed, but the file no longer exists.
    Gone,
}

/// The relation of an entry to the entries below it.
pub(crate) enum Link {
    /// The entry is the first, or it continues this entry.
    Holds(Option<Arc<LogEntry>>),
    /// The number before the entry cannot be read, so the link is neither proved nor broken; the nearest readable entry
    /// below.
    Unknown(Option<Arc<LogEntry>>),
    /// The entry continues another, but no entry exists below it.
    Rootless,
    /// The entry continues no entry below it.
    Broken,
}

/// The result of checking one number of the log.
pub(crate) enum CheckedNumber {
    /// An entry of the record.
    Entry(Arc<LogEntry>, Link),
    /// A file that is not known to be part of the record.
    PassedOver(Generation, StrayReason),
}

/// The state of one number of the log.
pub(crate) enum NumberState {
    /// A readable entry; it is a member of the record unless its link is broken.
    Entry(Arc<LogEntry>, Link),
    /// The content cannot be read.
    Unreadable,
    /// The file no longer exists.
    Gone,
}

/// The reason for which a number is not part of the record.
#[derive(Debug)]
pub(crate) enum StrayReason {
    /// The file is damaged, or not an entry of this league with this number.
    Unreadable(PortError),
    /// The entry continues no entry below it.
    Unlinked {
        /// The publication time of the entry.
        published_at: DateTime<Utc>,
    },
}

impl StrayReason {
    /// Returns true if the entry may be a remnant of lost history above `head`: it was published after the head, or the
    /// record has no entry left.
    pub(crate) fn may_be_lost_history(&self, head: Option<&Catalog>) -> bool {
        match self {
            Self::Unreadable(_) => false,
            Self::Unlinked { published_at } => head.is_none_or(|head| head.published_at < *published_at),
        }
    }
}

impl<'l> Chain<'l> {
    /// Lists the numbers of a league's log.
    pub(crate) async fn listed(log: &'l dyn PublicationLog, sport: Sport) -> Result<Self, PortError> {
        Ok(Self::of_numbers(log, sport, log.numbers(sport).await?))
    }

    /// Creates the chain of numbers that were listed before.
    pub(crate) fn of_numbers(log: &'l dyn PublicationLog, sport: Sport, numbers: Vec<Generation>) -> Self {
        Self { log, sport, left: numbers.len(), numbers, read: HashMap::new() }
    }

    pub(crate) const fn sport(&self) -> Sport {
        self.sport
    }

    /// Returns the numbers in use, lowest first.
    pub(crate) fn numbers(&self) -> &[Generation] {
        &self.numbers
    }

    /// Restricts the check to numbers below this one; the others were checked before.
    pub(crate) fn resume_below(&mut self, number: Generation) {
        self.left = self.numbers.partition_point(|taken| *taken < number);
    }

    /// Returns the highest number that is not checked yet.
    pub(crate) fn next_number(&self) -> Option<Generation> {
        self.left.checked_sub(1).map(|index| self.numbers[index])
    }

    /// Skips the numbers above an entry that is linked to a nearby entry, if they are more than `most`. Returns false
    /// if no number is skipped.
    ///
    /// The number of reads is small however many numbers are skipped. If many strays lie among the entries of the
    /// record, the entry found may not be the newest.
    pub(crate) async fn skip_strays(&mut self, most: usize) -> Result<bool, PortError> {
        if self.left <= most {
            return Ok(false);
        }
        let end = match self.linked_run_end().await? {
            Some(index) => index + 1,
            None => self.end_of_linked().await?,
        };
        let skips = end > 0 && self.left - end > most;
        if skips {
            self.left = end;
        }
        Ok(skips)
    }

    /// Returns the highest index with a linked entry among the highest number and those where the newest entry is likely.
    async fn linked_run_end(&mut self) -> Result<Option<usize>, PortError> {
        let numbers = &self.numbers[..self.left];
        let likely = run_ends(numbers).into_iter().chain(numbers.last().copied());
        let likely: Vec<_> = likely.filter_map(|number| numbers.binary_search(&number).ok()).collect();
        for index in likely.into_iter().rev() {
            if self.is_linked_nearby(index).await? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Finds the end of the linked entries by bisection, on the assumption that all strays lie above the record.
    async fn end_of_linked(&mut self) -> Result<usize, PortError> {
        let (mut low, mut high) = (0, self.left);
        while low < high {
            let middle = low.midpoint(high);
            if self.is_linked_nearby(middle).await? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Returns true if the number has an entry that is the lowest of the log or continues one of the next few entries
    /// below.
    async fn is_linked_nearby(&mut self, index: usize) -> Result<bool, PortError> {
        let read = self.read(self.numbers[index]).await?;
        let Read::Entry(entry) = &*read else { return Ok(false) };
        let previous = entry.catalog.previous;
        for below in (index.saturating_sub(BELOW)..index).rev() {
            match &*self.read(self.numbers[below]).await? {
                Read::Entry(found) if previous == Some(found.digest) => return Ok(true),
                // An earlier entry already continues the same predecessor.
                Read::Entry(found) if found.catalog.previous == previous => return Ok(false),
                _ => {}
            }
        }
        Ok(index == 0)
    }

    /// Returns the first free number after a number.
    pub(crate) fn free_after(&self, number: Generation) -> Generation {
        let mut free = number.next();
        for taken in &self.numbers[self.numbers.partition_point(|taken| *taken <= number)..] {
            if *taken != free {
                break;
            }
            free = free.next();
        }
        free
    }

    /// Checks the next lower number; `None` if all numbers are checked.
    pub(crate) async fn check_next(&mut self) -> Result<Option<CheckedNumber>, PortError> {
        while let Some(number) = self.next_number() {
            self.left -= 1;
            let read = self.read(number).await?;
            self.read.remove(&number);
            // The content is shared only if it is also cached, which it no longer is.
            let entry = match Arc::try_unwrap(read) {
                Ok(Read::Gone) | Err(_) => continue,
                Ok(Read::Unreadable(error)) => {
                    return Ok(Some(CheckedNumber::PassedOver(number, StrayReason::Unreadable(error))));
                }
                Ok(Read::Entry(entry)) => entry,
            };
            let link = self.link(&entry.catalog).await?;
            return Ok(Some(match link {
                Link::Broken => CheckedNumber::PassedOver(
                    number,
                    StrayReason::Unlinked { published_at: entry.catalog.published_at },
                ),
                link => CheckedNumber::Entry(entry, link),
            }));
        }
        Ok(None)
    }

    /// Returns the newest entry of the record, and the strays above it, highest first.
    pub(crate) async fn head(
        &mut self,
    ) -> Result<(Option<(Arc<LogEntry>, Link)>, Vec<(Generation, StrayReason)>), PortError> {
        let mut passed_over = Vec::new();
        while let Some(checked) = self.check_next().await? {
            match checked {
                CheckedNumber::Entry(entry, link) => return Ok((Some((entry, link)), passed_over)),
                CheckedNumber::PassedOver(number, why) => passed_over.push((number, why)),
            }
        }
        Ok((None, passed_over))
    }

    /// Returns the state of a number.
    pub(crate) async fn state_of(&mut self, number: Generation) -> Result<NumberState, PortError> {
        let entry = match &*self.read(number).await? {
            Read::Gone => return Ok(NumberState::Gone),
            Read::Unreadable(_) => return Ok(NumberState::Unreadable),
            Read::Entry(entry) => Arc::clone(entry),
        };
        let link = self.link(&entry.catalog).await?;
        Ok(NumberState::Entry(entry, link))
    }

    /// Returns the link of an entry.
    pub(crate) async fn link(&mut self, catalog: &Catalog) -> Result<Link, PortError> {
        let (number, previous) = (catalog.generation, catalog.previous);
        if number == Generation::FIRST && previous.is_none() {
            return Ok(Link::Holds(None));
        }
        let end = self.numbers.partition_point(|taken| *taken < number);
        let (mut nearest, mut unknown, mut overtaken, mut readable) = (None, false, false, 0);
        for index in (0..end).rev() {
            let lower = self.numbers[index];
            match &*self.read(lower).await? {
                Read::Entry(found) if previous == Some(found.digest) && !overtaken => {
                    return Ok(Link::Holds(Some(Arc::clone(found))));
                }
                Read::Entry(found) => {
                    // If two entries continue the same one, the lower number is part of the record.
                    overtaken |= found.catalog.previous == previous;
                    nearest.get_or_insert_with(|| Arc::clone(found));
                    readable += 1;
                }
                Read::Unreadable(_) => unknown |= Some(lower) == number.previous(),
                Read::Gone => {}
            }
            if readable == BELOW {
                break;
            }
        }
        let is_later = nearest.as_ref().is_none_or(|nearest| nearest.catalog.published_at < catalog.published_at);
        Ok(if unknown && !overtaken && is_later {
            Link::Unknown(nearest)
        } else if end == 0 && number > Generation::FIRST {
            Link::Rootless
        } else {
            Link::Broken
        })
    }

    /// Returns the previous entry of the record, if it exists.
    pub(crate) async fn before(&mut self, catalog: &Catalog) -> Result<Option<Arc<LogEntry>>, PortError> {
        Ok(match self.link(catalog).await? {
            Link::Holds(before) | Link::Unknown(before) => before,
            Link::Rootless | Link::Broken => None,
        })
    }

    async fn read(&mut self, number: Generation) -> Result<Arc<Read>, PortError> {
        if let Some(read) = self.read.get(&number) {
            return Ok(Arc::clone(read));
        }
        let read = Arc::new(match self.log.entry(self.sport, number).await {
            Ok(entry) => entry.map_or(Read::Gone, |entry| Read::Entry(Arc::new(entry))),
            Err(error @ PortError::Corrupt { .. }) => Read::Unreadable(error),
            Err(error @ PortError::Unavailable { .. }) => return Err(error),
        });
        // Cached entries far above have been checked. Unreadable content takes little memory.
        if matches!(*read, Read::Entry(_)) {
            self.read.retain(|kept, read| {
                !matches!(**read, Read::Entry(_)) || *kept <= number || kept.get() - number.get() <= BELOW as u64
            });
        }
        self.read.insert(number, Arc::clone(&read));
        Ok(read)
    }
}

/// Returns the newest entry of a league's record; `None` if the record is empty.
///
/// # Errors
///
/// [`PortError`] if the log cannot be read.
pub async fn newest_entry(log: &dyn PublicationLog, sport: Sport) -> Result<Option<LogEntry>, PortError> {
    let (head, _) = Chain::listed(log, sport).await?.head().await?;
    Ok(head.map(|(entry, _)| Arc::unwrap_or_clone(entry)))
}

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
    for number in numbers.into_iter().take_while(|number| *number < newest.generation).take(BELOW) {
        match log.entry(newest.sport, number).await {
            Ok(Some(first)) => return Ok(first.catalog.clock == ClockSource::Set),
            Ok(None) | Err(PortError::Corrupt { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}
