use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use crate::Season;

/// The order of a season's rows. Each order is the reverse of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order of the archive.
    OldestFirst,
    /// The latest game first.
    NewestFirst,
}

/// A page of a list, in the order of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRange {
    /// The rows of the page; empty beyond the end of the list.
    pub rows: Range<usize>,
    /// The offset of the next page; `None` on the last page.
    pub next_offset: Option<usize>,
}

/// Returns the page of a list of `total` rows that starts at row `offset`.
pub fn page(total: usize, offset: usize, limit: Limit) -> PageRange {
    let start = offset.min(total);
    let end = start.saturating_add(limit.get()).min(total);
    PageRange { rows: start..end, next_offset: (end < total).then_some(end) }
}

/// The maximum number of rows on a page: from 1 to [`Limit::LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(usize);

/// A number that is not a valid limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a page limit: limits are from 1 to {largest}", largest = Limit::LARGEST)]
pub struct NotALimit(pub usize);

impl Limit {
    /// The most rows that a page can have.
    pub const LARGEST: usize = 100_000;
    /// The limit of a request that names none.
    pub const DEFAULT: Self = Self(100);
    /// The largest limit, as a [`Limit`].
    pub const MOST: Self = Self(Self::LARGEST);

    /// Checks a limit.
    ///
    /// # Errors
    ///
    /// [`NotALimit`] for zero and for more than [`Limit::LARGEST`].
    pub const fn new(rows: usize) -> Result<Self, NotALimit> {
        if rows >= 1 && rows <= Self::LARGEST { Ok(Self(rows)) } else { Err(NotALimit(rows)) }
    }

    /// Returns the number of rows.
    pub const fn get(self) -> usize {
        self.0
    }
}

/// The rows of a page, as indices in the order of its list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageRows {
    /// Consecutive rows.
    Run(Range<usize>),
    /// The rows at these indices.
    Each(Box<[usize]>),
}

impl PageRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::Each(rows) => rows.len(),
        }
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index of each row.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let (run, rows) = match self {
            Self::Run(run) => (run.clone(), &[][..]),
            Self::Each(rows) => (0..0, &rows[..]),
        };
        run.chain(rows.iter().copied())
    }

    /// Returns the rows in pieces of at most `size`, in their order.
    ///
    /// # Panics
    ///
    /// Panics if `size` is 0.
    pub fn pieces(&self, size: usize) -> Vec<Self> {
        match self {
            Self::Run(run) => {
                run.clone().step_by(size).map(|from| Self::Run(from..from.saturating_add(size).min(run.end))).collect()
            }
            Self::Each(rows) => rows.chunks(size).map(|rows| Self::Each(rows.into())).collect(),
        }
    }
}

/// The name of the exact content of a list: lists with equal snapshots are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Snapshot(String);

impl Snapshot {
    /// Creates a snapshot with this name, which need not exist.
    pub fn named(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The seasons of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeasonChoice {
    /// Several seasons by their labels, oldest first.
    Listed(BTreeSet<Season>),
    /// Every season.
    All,
}

/// A request for rows of a market's history.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HistoryRequest {
    /// The current season, newest game first. Games may be added between two pages.
    Current {
        /// The first row.
        offset: usize,
    },
    /// One season, oldest game first.
    OfSeason {
        /// A season of the market; it need not have games.
        season: Season,
        /// The first row.
        offset: usize,
        /// The snapshot of the first page; always present beyond the first page.
        snapshot: Option<Snapshot>,
    },
}

/// The error for parameters that cannot be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAHistoryRequest {
    /// A later page of a season lacks the first page's snapshot, so it could mix two versions.
    #[error("`offset` beyond the first page of a `season` needs the first page's `snapshot`")]
    SnapshotMissing,
    /// A snapshot without a season: the current season has no snapshots.
    #[error("`snapshot` needs the `season` it was given for")]
    SeasonMissing,
}

impl HistoryRequest {
    /// Returns the snapshot of the first page.
    pub const fn snapshot(&self) -> Option<&Snapshot> {
        match self {
            Self::Current { .. } => None,
            Self::OfSeason { snapshot, .. } => snapshot.as_ref(),
        }
    }

    /// Combines the parameters of a request.
    ///
    /// # Errors
    ///
    /// [`NotAHistoryRequest`] if a snapshot has no season, or a later page of a season has no snapshot.
    pub fn new(season: Option<Season>, offset: usize, snapshot: Option<Snapshot>) -> Result<Self, NotAHistoryRequest> {
        match (season, snapshot) {
            (None, None) => Ok(Self::Current { offset }),
            (None, Some(_)) => Err(NotAHistoryRequest::SeasonMissing),
            (Some(_), None) if offset > 0 => Err(NotAHistoryRequest::SnapshotMissing),
            (Some(season), snapshot) => Ok(Self::OfSeason { season, offset, snapshot }),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Sport;

    use super::*;

    #[test]
    fn a_limit_is_from_1_to_100000_and_100_by_default() {
        assert_eq!(Limit::DEFAULT.get(), 100);
        for rows in [1, 100, 100_000] {
            assert_eq!(Limit::new(rows).map(Limit::get), Ok(rows));
        }
        for rows in [0, 100_001, usize::MAX] {
            assert_eq!(Limit::new(rows), Err(NotALimit(rows)));
        }
    }

    #[test]
    fn the_pieces_of_a_page_have_its_rows_in_their_order() {
        for page in [PageRows::Run(3..10), PageRows::Each([1, 4, 9, 16, 25].into()), PageRows::Run(2..2)] {
            for size in [1, 2, 5, 100] {
                let pieces = page.pieces(size);
                assert!(pieces.iter().all(|piece| (1..=size).contains(&piece.len())), "{pieces:?}");
                let rows: Vec<_> = pieces.iter().flat_map(PageRows::iter).collect();
                assert_eq!(rows, page.iter().collect::<Vec<_>>());
                assert_eq!(pieces.len(), page.len().div_ceil(size));
            }
        }
    }

    #[test]
    fn a_snapshot_is_written_as_its_name() {
        let snapshot = Snapshot::named("009b716a95a616d6");
        assert_eq!((snapshot.as_str(), snapshot.to_string().as_str()), ("009b716a95a616d6", "009b716a95a616d6"));
    }

    #[test]
    fn a_later_page_of_a_season_needs_its_snapshot_and_a_snapshot_its_season() {
        let season = Season::parse(Sport::Mlb, "2016").ok();
        let snapshot = || Some(Snapshot::named("abc"));
        let requests = [
            (None, 0, None, Ok(HistoryRequest::Current { offset: 0 })),
            (None, 50, None, Ok(HistoryRequest::Current { offset: 50 })),
            (None, 0, snapshot(), Err(NotAHistoryRequest::SeasonMissing)),
            (season, 50, None, Err(NotAHistoryRequest::SnapshotMissing)),
        ];
        for (season, offset, snapshot, expected) in requests {
            assert_eq!(HistoryRequest::new(season, offset, snapshot), expected);
        }
        let season = season.expect("a season");
        for (offset, snapshot) in [(0, None), (0, snapshot()), (50, snapshot())] {
            let expected = HistoryRequest::OfSeason { season, offset, snapshot: snapshot.clone() };
            assert_eq!(HistoryRequest::new(Some(season), offset, snapshot), Ok(expected));
        }
    }
}
