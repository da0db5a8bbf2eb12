//! What the entries of a log say of each other: which of its numbers are the record, and which are no part of it.
//!
//! An entry continues the record if it names the hash of an entry below it. So a file that does not belong among the numbers
//! (a stray file, a copy, another record's entry) is recognised however high its number is, and is skipped.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{Catalog, ClockSource, Generation};

use crate::record::run_ends;

/// How many entries below an entry are looked at for the one it continues: of those that can be read, strays are few.
/// What cannot be read is not counted; it is read once.
const BELOW: usize = 16;

/// A league's log as its numbers were listed, looked at from the highest down.
pub(crate) struct Chain<'l> {
    log: &'l dyn PublicationLog,
    sport: Sport,
    numbers: Vec<Generation>,
    /// How many of the numbers, from the lowest, are still to be looked at.
    left: usize,
    /// What was read of numbers that are still to be looked at.
    read: HashMap<Generation, Arc<Read>>,
}

/// What has a number.
enum Read {
    Entry(Arc<LogEntry>),
    Unreadable(PortError),
    /// It was listed, and has gone.
    Gone,
}

/// What an entry says of those below it.
pub(crate) enum Link {
    /// It is the first, or continues this one.
    Holds(Option<Arc<LogEntry>>),
    /// The number before it cannot be read, so that nothing breaks the link; the nearest below that can.
    Unknown(Option<Arc<LogEntry>>),
    /// There is nothing below it, though it continues something.
    Rootless,
    /// It continues none of those below.
    Broken,
}

/// A number of the log, looked at.
pub(crate) enum CheckedNumber {
    /// An entry of the record.
    Entry(Arc<LogEntry>, Link),
    /// Nothing that is known to be part of the record.
    PassedOver(Generation, StrayReason),
}

/// Why a number is no part of the record.
#[derive(Debug)]
pub(crate) enum StrayReason {
    /// It is no entry of this league with this number, or a damaged one.
    Unreadable(PortError),
    /// It is an entry that continues none below it.
    Unlinked {
        /// When it was published.
        published_at: DateTime<Utc>,
    },
}

impl StrayReason {
    /// Whether it may be what is left of the record above its head: an entry that was published after that one, or where
    /// no entry of the record is left.
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
        let numbers = log.numbers(sport).await?;
        Ok(Self { log, sport, left: numbers.len(), numbers, read: HashMap::new() })
    }

    /// The league.
    pub(crate) const fn sport(&self) -> Sport {
        self.sport
    }

    /// The numbers that are taken, the lowest first.
    pub(crate) fn numbers(&self) -> &[Generation] {
        &self.numbers
    }

    /// Leaves out what was looked at before: this number and those above it.
    pub(crate) fn go_on_below(&mut self, number: Generation) {
        self.left = self.numbers.partition_point(|taken| *taken < number);
    }

    /// The highest number still to be looked at.
    pub(crate) fn next_number(&self) -> Option<Generation> {
        self.left.checked_sub(1).map(|index| self.numbers[index])
    }

    /// Skips the numbers above an entry that is linked to an entry near it, if they are more than `most`. Returns `false`
    /// where it skips none.
    ///
    /// Few numbers are read however many are skipped. With many strays among the entries of the record, the entry can be
    /// another than the newest.
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

    /// Searches for the end of the linked entries by bisection, as if strays were above the record only.
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

    /// Tells whether a number has an entry that is the lowest of the log or continues an entry among the next few numbers
    /// below.
    async fn is_linked_nearby(&mut self, index: usize) -> Result<bool, PortError> {
        let read = self.read(self.numbers[index]).await?;
        let Read::Entry(entry) = &*read else { return Ok(false) };
        let previous = entry.catalog.previous;
        for below in (index.saturating_sub(BELOW)..index).rev() {
            match &*self.read(self.numbers[below]).await? {
                Read::Entry(found) if previous == Some(found.digest) => return Ok(true),
                // Another entry continues the same one, and was there first.
                Read::Entry(found) if found.catalog.previous == previous => return Ok(false),
                _ => {}
            }
        }
        Ok(index == 0)
    }

    /// The first number after one that nothing has.
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

    /// Looks at the next number down; `None` when all were looked at.
    pub(crate) async fn look_down(&mut self) -> Result<Option<CheckedNumber>, PortError> {
        while let Some(number) = self.next_number() {
            self.left -= 1;
            let read = self.read(number).await?;
            self.read.remove(&number);
            // Unless it is kept elsewhere, it is ours alone.
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

    /// The newest entry of the record and what was passed over above it, the highest first.
    pub(crate) async fn head(
        &mut self,
    ) -> Result<(Option<(Arc<LogEntry>, Link)>, Vec<(Generation, StrayReason)>), PortError> {
        let mut passed_over = Vec::new();
        while let Some(looked) = self.look_down().await? {
            match looked {
                CheckedNumber::Entry(entry, link) => return Ok((Some((entry, link)), passed_over)),
                CheckedNumber::PassedOver(number, why) => passed_over.push((number, why)),
            }
        }
        Ok((None, passed_over))
    }

    /// What an entry continues.
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
                    // Of two that continue one, the first to have a number is of the record.
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

    /// The entry before one of the record, as far as it is there.
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
        // Entries far above were looked at. What is no entry takes little room.
        if matches!(*read, Read::Entry(_)) {
            self.read.retain(|kept, read| {
                !matches!(**read, Read::Entry(_)) || *kept <= number || kept.get() - number.get() <= BELOW as u64
            });
        }
        self.read.insert(number, Arc::clone(&read));
        Ok(read)
    }
}

/// The newest entry of a league's record; `None` where there is none.
///
/// # Errors
///
/// [`PortError`] when the log cannot be read.
pub async fn newest_entry(log: &dyn PublicationLog, sport: Sport) -> Result<Option<LogEntry>, PortError> {
    let (head, _) = Chain::listed(log, sport).await?.head().await?;
    Ok(head.map(|(entry, _)| Arc::unwrap_or_clone(entry)))
}

/// Whether any entry of the log up to `newest` was published at a time set by hand: the record is simulated then.
///
/// Publishing adds no such entry to one of a machine's own clock, so the newest entry and the first that can be read decide;
/// `verify` looks at all of them.
///
/// # Errors
///
/// [`PortError::Unavailable`] when the log cannot be asked.
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
