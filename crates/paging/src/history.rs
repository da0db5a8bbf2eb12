use std::collections::BTreeSet;
use std::fmt;

use sports_domain::Season;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryRequest {
    /// The current season, newest game first. Games may be added between two pages.
    Current {
        /// The first row.
        offset: usize,
    },
    /// One season, oldest game first.
    OfSeason {
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
    use sports_domain::Sport;

    use super::*;

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
