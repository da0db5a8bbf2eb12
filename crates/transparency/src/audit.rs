//! The audit of a league's record from outside: leaves, openings, results and releases must agree.
//!
//! Compares the leaves of a league's tree with everything that the service states about a season: the openings of its forecasts, its
//! results, and its list of releases. The rules are those of a reader who trusts the tree alone; the tree itself must be verified before.
//!
//! ```rust
//! use sports_transparency::audit::{Evidence, StatedLeaves};
//!
//! // Both of two voices have to state a tree.
//! let mut evidence = Evidence::of_quorum(std::num::NonZero::new(2).expect("two"));
//! evidence.add_cosignature(0, 10, 1_704_554_000);
//! evidence.add_cosignature(1, 20, 1_704_553_000);
//! // A tree of 20 leaves has leaf 3, too.
//! assert_eq!(evidence.time_of(3), Some(1_704_554_000));
//! assert_eq!(evidence.time_of(20), None);
//! assert!(StatedLeaves::read(&["not a leaf\n"]).is_err());
//! ```

mod evidence;
mod forecast_row;
mod leaf_history;
mod releases;
mod season;

use std::fmt;

use sports_domain::{GameKey, ModelType};

pub use evidence::Evidence;
pub use leaf_history::{StatedLeaves, UnreadableLeaf};
pub use releases::{
    ListedRelease, LocatedOpening, ReleaseList, ResultRow, RowStatements, audit_releases, recorded_releases,
    skipped_generations,
};
pub use season::{Audit, SeasonFiles, audit_season, lacks_rows};

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
