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

mod evidence;
mod finding;
mod forecast_row;
mod leaf_history;
mod payload_numbers;
mod releases;
mod row;
mod season;
mod statements;

pub use evidence::Evidence;
pub use finding::{Finding, FindingKind};
pub use leaf_history::{StatedLeaves, UnreadableLeaf};
pub use releases::{ListedRelease, ReleaseList, audit_releases, recorded_releases, skipped_generations};
pub use row::{LocatedOpening, ResultRow, RowStatements};
pub use season::{Audit, SeasonFiles, audit_season, lacks_rows};
