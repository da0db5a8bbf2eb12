//! The order of releases on a stream: positions in the logs of leagues, cursors made of them, and the step after each.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use sports_domain::{FormError, Sport};
use sports_ledger::{EntryFacts, NoPlace, Sought};
use sports_ports::PortError;
use sports_publication::Generation;

use crate::releases::RecentReleases;

/// A position in the log of a league: an entry, by its number and the beginning of its hash, or the one before the first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamPosition {
    /// `None` before the first entry.
    generation: Option<Generation>,
    head: u32,
}

impl StreamPosition {
    /// The position before the first entry.
    pub const START: Self = Self { generation: None, head: 0 };

    fn is_at(self, entry: &EntryFacts) -> bool {
        self == Self::from(Some(entry))
    }
}

impl From<Option<&EntryFacts>> for StreamPosition {
    /// The position at an entry; [`Self::START`] without one.
    fn from(entry: Option<&EntryFacts>) -> Self {
        entry.map_or(Self::START, |entry| {
            let head = u32::from_str_radix(&entry.digest.to_string()[..8], 16).unwrap_or_default();
            Self { generation: Some(entry.generation), head }
        })
    }
}

impl fmt::Display for StreamPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:08x}", self.generation.map_or(0, Generation::get), self.head)
    }
}

/// A position in the log of each league of a stream: `nfl:41.5bd5f6c8,nba:17.0a1b2c3d`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamCursor(BTreeMap<Sport, StreamPosition>);

impl StreamCursor {
    /// Returns the position in a league's log; `None` for a league that the cursor lacks.
    pub fn position(&self, sport: Sport) -> Option<StreamPosition> {
        self.0.get(&sport).copied()
    }
}

impl FromIterator<(Sport, StreamPosition)> for StreamCursor {
    fn from_iter<I: IntoIterator<Item = (Sport, StreamPosition)>>(positions: I) -> Self {
        Self(positions.into_iter().collect())
    }
}

impl fmt::Display for StreamCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (sport, position)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{}:{position}", sport.code())?;
        }
        Ok(())
    }
}

impl FromStr for StreamCursor {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let position = |part: &str| {
            let (sport, position) = part.split_once(':')?;
            let (number, head) = position.split_once('.')?;
            let is_plain = head.len() == 8 && [number, head].iter().all(|part| !part.starts_with('+'));
            let head = u32::from_str_radix(head, 16).ok().filter(|_| is_plain)?;
            Some((sport.parse().ok()?, StreamPosition { generation: Generation::new(number.parse().ok()?), head }))
        };
        text.split(',').map(position).collect::<Option<_>>().ok_or_else(|| {
            FormError::fixed("it must be the `id` of an event of this stream, unchanged, such as nfl:41.5bd5f6c8")
        })
    }
}

/// The step of a stream after a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamStep {
    /// The next entry of the log.
    Release(Box<EntryFacts>),
    /// The log does not lead from the position to the current entry: the stream goes on from the current one.
    Reset(ResetReason),
    /// The position is the current entry, or one that this node does not have yet.
    Wait,
}

/// The reason for which a stream cannot go on from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetReason {
    /// The position is too far behind, or an entry after it cannot be read.
    Gap,
    /// The position is not of this record.
    Record,
}

impl RecentReleases {
    /// The most entries by which a position may be behind the current one.
    pub const RESUMED: u64 = 1024;

    /// Returns the step from a position towards the current entry of a league.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read, or is being read.
    pub async fn step(
        &self,
        sport: Sport,
        position: StreamPosition,
        current: Option<&EntryFacts>,
    ) -> Result<StreamStep, PortError> {
        let Some(current) = current.filter(|current| !position.is_at(current)) else { return Ok(StreamStep::Wait) };
        let (at, newest) = (position.generation.map_or(0, Generation::get), current.generation.get());
        if at >= newest {
            return Ok(if at > newest { StreamStep::Wait } else { StreamStep::Reset(ResetReason::Record) });
        }
        if newest - at > Self::RESUMED {
            return Ok(StreamStep::Reset(ResetReason::Gap));
        }
        let ledger = self.ledgers().of(sport);
        let (entry, next) = match position.generation {
            None => (None, ledger.lowest()),
            Some(number) => match ledger.find(Sought::Number(number)).await? {
                Ok(place) if position.is_at(&place.facts) => (Some(place.facts), place.after),
                Ok(_) => return Ok(StreamStep::Reset(ResetReason::Record)),
                Err(_) => return Ok(StreamStep::Reset(ResetReason::Gap)),
            },
        };
        let Some(next) = next.filter(|next| *next <= current.generation) else {
            return Ok(StreamStep::Reset(ResetReason::Gap));
        };
        let is_linked = |after: &EntryFacts| entry.map_or_else(|| after.is_first(), |entry| after.continues(&entry));
        Ok(match ledger.find(Sought::Number(next)).await? {
            Ok(place) if is_linked(&place.facts) => StreamStep::Release(Box::new(place.facts)),
            Ok(_) | Err(NoPlace::Unreadable(_) | NoPlace::NoMember) => StreamStep::Reset(ResetReason::Gap),
            Err(NoPlace::Empty | NoPlace::BeforeFirst(_) | NoPlace::AboveNewest(_)) => StreamStep::Wait,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_written_as_it_is_read() {
        for text in ["nfl:41.5bd5f6c8,nba:17.0a1b2c3d", "nba:17.0a1b2c3d,nfl:41.5bd5f6c8", "nhl:0.00000000"] {
            let cursor: StreamCursor = text.parse().expect("a cursor");
            assert_eq!(cursor.to_string().parse::<StreamCursor>().expect("a cursor"), cursor);
            let parts: BTreeMap<_, _> = text.split(',').filter_map(|part| part.split_once(':')).collect();
            for (sport, position) in parts {
                let sport = sport.parse().expect("a league");
                assert_eq!(cursor.position(sport).expect("is there").to_string(), position);
            }
        }
    }

    #[test]
    fn other_texts_are_no_cursors() {
        for text in [
            "",
            "nfl",
            "nfl:41",
            "nfl:41.5bd5",
            "nfl:+1.5bd5f6c8",
            "nfl:1.+bd5f6c8",
            "xfl:1.5bd5f6c8",
            "nfl:1.5bd5f6c8,",
            "41",
        ] {
            assert!(text.parse::<StreamCursor>().is_err(), "{text}");
        }
    }
}
