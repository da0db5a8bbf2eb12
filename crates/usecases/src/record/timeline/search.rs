//! One search in the times of a log.

use std::collections::HashSet;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::Generation;

use super::facts::{Dated, Facts, Known, Sought, Undated};

/// A search; without a log, in the times in memory alone.
pub(super) struct Search<'t> {
    facts: &'t Facts,
    log: Option<&'t dyn PublicationLog>,
    pub(super) sport: Sport,
    pub(super) numbers: Arc<Vec<Generation>>,
    /// An entry that is known to be a member of the record.
    newest: Generation,
    /// The numbers that this search could not read.
    unreadable: HashSet<Generation>,
}

/// The result of a search that reads few entries.
pub(super) enum Direct {
    /// The entry, or the proof that there is none.
    Found(Result<Dated, Undated>),
    /// The index near which the members of the record have to be examined.
    Near(usize),
    /// The number is free; the index of the next one.
    Free(Generation, usize),
}

/// The error of a search that needs the store and has none.
#[derive(Debug, thiserror::Error)]
#[error("the times in memory do not decide the search")]
struct NotInMemory;

impl<'t> Search<'t> {
    pub(super) fn new(
        facts: &'t Facts,
        log: Option<&'t dyn PublicationLog>,
        sport: Sport,
        numbers: Arc<Vec<Generation>>,
        newest: Generation,
    ) -> Self {
        Self { facts, log, sport, numbers, newest, unreadable: HashSet::new() }
    }

    /// Finds an entry whose place the readable entries beside it prove.
    pub(super) async fn direct(&mut self, sought: Sought) -> Result<Direct, PortError> {
        let (lower, upper) = match sought {
            Sought::At(_) | Sought::Leaf(_) => self.readable_around(sought).await?,
            Sought::Number(number) => {
                let index = match self.numbers.binary_search(&number) {
                    Ok(index) => index,
                    Err(_) if number > self.newest => {
                        return Ok(Direct::Found(Err(Undated::AboveNewest(self.newest))));
                    }
                    Err(next) => return Ok(Direct::Free(number, next)),
                };
                (Some(index), self.readable_above(index).await?)
            }
        };
        let found = match lower {
            Some(lower) => self.linked(lower, upper).await?,
            None => None,
        };
        Ok(found.map_or(Direct::Near(lower.unwrap_or_default()), |found| Direct::Found(Ok(found))))
    }

    /// Finds the nearest readable entries by bisection: the last one at or before the sought one, and the index of the next
    /// one, or of the end. Entries outside the record can mislead it, so the result must be checked.
    async fn readable_around(&mut self, sought: Sought) -> Result<(Option<usize>, Option<usize>), PortError> {
        let (mut lower, mut low, mut high) = (None, 0, self.numbers.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.readable_from(low, middle).await? {
                Some((index, known)) if self.is_reached(sought, index, &known) => {
                    lower = Some(index);
                    low = middle + 1;
                }
                Some((index, _)) => high = index,
                None => low = middle + 1,
            }
        }
        Ok((lower, Some(high).filter(|index| *index < self.numbers.len())))
    }

    /// Returns the highest readable entry from `low` to `high`, both included.
    async fn readable_from(&mut self, low: usize, high: usize) -> Result<Option<(usize, Known)>, PortError> {
        for index in (low..=high).rev() {
            if let Some(known) = self.known(index).await? {
                return Ok(Some((index, known)));
            }
        }
        Ok(None)
    }

    async fn readable_above(&mut self, index: usize) -> Result<Option<usize>, PortError> {
        for index in index + 1..self.numbers.len() {
            if self.known(index).await?.is_some() {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Returns the entry at `lower` if its links to the readable entries beside it prove its place in the record. Unreadable
    /// numbers between linked entries are strays.
    async fn linked(&mut self, lower: usize, upper: Option<usize>) -> Result<Option<Dated>, PortError> {
        let Some(entry) = self.known(lower).await? else { return Ok(None) };
        let continues = match upper {
            Some(upper) => self.known(upper).await?.is_some_and(|above| above.previous == Some(entry.digest)),
            None => self.numbers[lower] == self.newest,
        };
        let before = match lower.checked_sub(1).filter(|below| !self.is_behind_gap(*below)) {
            Some(below) => self.known(below).await?.filter(|below| entry.previous == Some(below.digest)).map(|_| below),
            None => None,
        };
        let is_first = self.numbers[lower] == Generation::FIRST && entry.previous.is_none();
        let is_member = before.is_some() || is_first;
        Ok((continues && is_member).then(|| self.dated(lower, &entry, before, upper)))
    }

    /// Returns true if the number below an index is free. The entry there may continue a lost one, and so be no member.
    fn is_behind_gap(&self, index: usize) -> bool {
        let below = index.checked_sub(1).map(|below| self.numbers[below]);
        below != self.numbers[index].previous()
    }

    /// Puts an entry beside its neighbours.
    pub(super) fn dated(&self, index: usize, entry: &Known, before: Option<usize>, after: Option<usize>) -> Dated {
        Dated {
            generation: self.numbers[index],
            digest: entry.digest,
            time: entry.published_at,
            before: before.map(|index| self.numbers[index]),
            after: after.map(|index| self.numbers[index]),
        }
    }

    /// Returns true if an entry is at or before the sought one.
    pub(super) fn is_reached(&self, sought: Sought, index: usize, entry: &Known) -> bool {
        sought.is_reached(self.numbers[index], entry)
    }

    /// Returns the facts of an entry; `None` if its number is unreadable or free.
    pub(super) async fn known(&mut self, index: usize) -> Result<Option<Known>, PortError> {
        let number = self.numbers[index];
        if let Some(known) = self.facts.known(number) {
            return Ok(Some(known));
        }
        if self.unreadable.contains(&number) {
            return Ok(None);
        }
        let log = self.log.ok_or_else(|| PortError::unavailable("the times of entries", NotInMemory))?;
        match log.entry(self.sport, number).await {
            Ok(Some(entry)) => {
                let known = Known::from(&entry);
                self.facts.keep(number, known);
                Ok(Some(known))
            }
            Ok(None) | Err(PortError::Corrupt { .. }) => {
                self.unreadable.insert(number);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
