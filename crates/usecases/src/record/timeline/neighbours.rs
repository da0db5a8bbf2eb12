//! The members of the record around a number, each proved by its link, for logs with strays, gaps or damage.

use std::sync::Arc;

use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::Generation;

use super::facts::{Dated, Known, Sought, Undated};
use super::search::Search;
use crate::record::{Chain, Link, NumberState};

/// The most numbers above an entry of unknown state that are searched for a link across it.
const ABOVE: usize = 16;

/// The position of a walk among the numbers of a log.
pub(super) struct Neighbours<'s, 't> {
    search: &'s mut Search<'t>,
    chain: Chain<'t>,
    start: usize,
}

/// A member of the record.
struct Member {
    index: usize,
    entry: Arc<LogEntry>,
    link: Link,
}

impl Member {
    /// Returns true if the entry continues another one, so that no entry of the record lies between.
    fn continues(&self, lower: &Self) -> bool {
        self.entry.catalog.previous == Some(lower.entry.digest)
    }

    /// Returns true if the log has no entry of the record below.
    fn is_first(&self) -> bool {
        matches!(self.link, Link::Holds(None) | Link::Rootless)
    }
}

impl<'s, 't> Neighbours<'s, 't> {
    /// Begins at an index of the numbers of a search.
    pub(super) fn of(search: &'s mut Search<'t>, log: &'t dyn PublicationLog, start: usize) -> Self {
        let chain = Chain::of_numbers(log, search.sport, search.numbers.to_vec());
        Self { search, chain, start }
    }

    /// Finds the last member at or before the sought one.
    pub(super) async fn at(mut self, sought: Sought) -> Result<Result<Dated, Undated>, PortError> {
        if self.search.numbers.is_empty() {
            return Ok(Err(Undated::Empty));
        }
        let mut lower = self.below(self.start + 1).await?;
        while let Some(member) = lower.as_ref().filter(|member| !self.is_reached(sought, member)) {
            lower = self.below(member.index).await?;
        }
        let mut upper = self.above(lower.as_ref().map_or(0, |member| member.index + 1)).await?;
        while let Some(member) =
            upper.take_if(|member| self.search.is_reached(sought, member.index, &Known::from(&*member.entry)))
        {
            upper = self.above(member.index + 1).await?;
            lower = Some(member);
        }
        // Between members that are not linked, an entry of the record was lost.
        let lost = |member: &Member| Undated::Unreadable(self.search.numbers[member.index.saturating_sub(1)]);
        Ok(match (lower, upper) {
            (Some(lower), Some(upper))
                if !upper.continues(&lower) && !sought.is_exactly(&Known::from(&*lower.entry)) =>
            {
                Err(lost(&upper))
            }
            (Some(lower), upper) => Ok(self.dated(&lower, upper.as_ref()).await?),
            (None, Some(first)) if first.is_first() => Err(Undated::BeforeFirst(first.entry.catalog.published_at)),
            (None, Some(first)) => Err(lost(&first)),
            (None, None) => Err(Undated::Unreadable(self.search.numbers[0])),
        })
    }

    /// Finds the member that the walk begins at.
    pub(super) async fn numbered(mut self) -> Result<Result<Dated, Undated>, PortError> {
        let upper = self.above(self.start + 1).await?;
        if let Some(member) = self.member(self.start).await? {
            return Ok(Ok(self.dated(&member, upper.as_ref()).await?));
        }
        let number = self.search.numbers[self.start];
        let state = self.chain.state_of(number).await?;
        let is_lost = matches!(state, NumberState::Unreadable | NumberState::Gone);
        // A link across the number proves that it is a stray.
        let lower = self.below(self.start).await?;
        let is_stray = upper.zip(lower).is_some_and(|(upper, lower)| upper.continues(&lower));
        Ok(Err(if is_lost && !is_stray { Undated::Unreadable(number) } else { Undated::NoMember }))
    }

    /// Returns the reason for which a free number has no entry, if the walk begins at the next number: it was skipped if the members
    /// around it are linked, and else its entry may be lost.
    pub(super) async fn free(mut self, number: Generation) -> Result<Undated, PortError> {
        let (upper, lower) = (self.above(self.start).await?, self.below(self.start).await?);
        let is_skipped = match (lower, upper) {
            (Some(lower), Some(upper)) => upper.continues(&lower),
            (None, Some(first)) => first.is_first(),
            (_, None) => true,
        };
        Ok(if is_skipped { Undated::NoMember } else { Undated::Unreadable(number) })
    }

    async fn dated(&mut self, member: &Member, upper: Option<&Member>) -> Result<Dated, PortError> {
        let before = self.below(member.index).await?.map(|before| before.index);
        let known = Known::from(&*member.entry);
        Ok(self.search.dated(member.index, &known, before, upper.map(|upper| upper.index)))
    }

    fn is_reached(&self, sought: Sought, member: &Member) -> bool {
        self.search.is_reached(sought, member.index, &Known::from(&*member.entry))
    }

    /// Returns the nearest member below an index.
    async fn below(&mut self, end: usize) -> Result<Option<Member>, PortError> {
        for index in (0..end.min(self.search.numbers.len())).rev() {
            if let Some(member) = self.member(index).await? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// Returns the nearest member from an index up.
    async fn above(&mut self, start: usize) -> Result<Option<Member>, PortError> {
        for index in start..self.search.numbers.len() {
            if let Some(member) = self.member(index).await? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    async fn member(&mut self, index: usize) -> Result<Option<Member>, PortError> {
        let (entry, link) = match self.chain.state_of(self.search.numbers[index]).await? {
            NumberState::Unreadable | NumberState::Gone => return Ok(None),
            // If a later entry continues it, the entry that it continues itself was lost.
            NumberState::Entry(entry, Link::Broken) if !self.is_continued(index, entry.digest).await? => {
                return Ok(None);
            }
            NumberState::Entry(entry, link) => (entry, link),
        };
        // A link across the number proves that it is a stray.
        if let Link::Unknown(Some(nearest)) = &link
            && self.is_continued(index, nearest.digest).await?
        {
            return Ok(None);
        }
        Ok(Some(Member { index, entry, link }))
    }

    /// Returns true if one of the next entries above a number continues the entry with this digest.
    async fn is_continued(&mut self, index: usize, digest: ObjectHash) -> Result<bool, PortError> {
        for above in index + 1..self.search.numbers.len().min(index + 1 + ABOVE) {
            if self.search.known(above).await?.is_some_and(|above| above.previous == Some(digest)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
