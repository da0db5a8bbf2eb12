//! The audit of a league's record from outside: leaves, openings, results and releases must agree.
//!
//! Compares the leaves of a league's tree with everything that the service states about a season: the openings of its forecasts, its
//! results, and its list of releases. The rules are those of a reader who trusts the tree alone; the tree itself must be verified before.
//!
//! ```rust
//! use sports_transparency::audit::{Evidence, StatedLeaves};
//!
//! let mut evidence = Evidence::default();
//! evidence.add(10, 1_704_554_000);
//! evidence.add(20, 1_704_553_000);
//! // A checkpoint of 20 leaves has leaf 3, too.
//! assert_eq!(evidence.time_of(3), Some(1_704_553_000));
//! assert_eq!(evidence.time_of(20), None);
//! assert!(StatedLeaves::read(&["not a leaf\n"]).is_err());
//! ```

mod forecast_row;
mod leaf_history;
mod releases;
mod season;

use std::collections::BTreeMap;
use std::fmt;

use sports_domain::{GameKey, ModelType};

pub use leaf_history::{StatedLeaves, UnreadableLeaf};
pub use releases::{
    ListedRelease, LocatedOpening, ReleaseList, ResultRow, RowStatements, audit_releases, recorded_releases,
    skipped_generations,
};
pub use season::{Audit, SeasonFiles, audit_season, lacks_rows};

/// The times at which trusted witnesses received trees, by size. A tree has every leaf below its size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The earliest time of each size, in seconds since 1970.
    times: BTreeMap<u64, u64>,
}

impl Evidence {
    /// Adds the time of a verified cosignature of the tree of this size.
    pub fn add(&mut self, size: u64, time: u64) {
        let earliest = self.times.entry(size).or_insert(time);
        *earliest = time.min(*earliest);
    }

    /// Returns the earliest time at which a witness had received a leaf.
    pub fn time_of(&self, leaf: u64) -> Option<u64> {
        self.times.range(leaf.saturating_add(1)..).map(|(_, time)| *time).min()
    }

    /// Returns `true` if a witness had received a leaf in a second before `start`.
    pub(crate) fn is_before(&self, leaf: u64, start: i64) -> bool {
        self.time_of(leaf).and_then(|time| i64::try_from(time).ok()).is_some_and(|time| time < start)
    }
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// The log has a forecast of a game that results leave out.
    Missing,
    /// The log and the answers of the service contradict each other.
    Differing,
    /// No trusted witness had received the forecast before the start.
    NotAttested,
    /// The log states that the forecast was withdrawn.
    Withdrawn,
}

impl FindingKind {
    /// Returns the word of the kind.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Differing => "differing",
            Self::NotAttested => "not_attested",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A finding about one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// The market; `None` for a finding about the game in all markets.
    pub model_type: Option<ModelType>,
    pub game: GameKey,
    /// The finding in words.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.game)?;
        self.model_type.map_or(Ok(()), |model_type| write!(f, " {model_type}"))?;
        write!(f, ": {}", self.sentence)
    }
}
