#![doc = include_str!("../README.md")]

mod audit;
mod evidence;
mod finding;
mod forecast_row;
mod leaf_history;
mod payload_numbers;
mod releases;
mod row;

pub use audit::{Audit, SeasonFiles, audit_season};
pub use evidence::Evidence;
pub use finding::{Finding, FindingKind};
pub use leaf_history::{StatedLeaves, UnreadableLeaf};
pub use releases::{ListedRelease, audit_releases, recorded_releases};
pub use row::{LocatedOpening, ResultRow};
