//! Checks of a release's history for mistakes of the whole file, and the report of its contents.
//!
//! A single value can be right by itself although the column is wrong: spreads with the other sign, starts in UTC, the other team's
//! probability, the final total in place of the line. [`examine`] compares columns with each other, over the games where both values
//! are known, and with the games on record. It returns findings, each with its threshold. A [`MarketReport`] has the counts and shares of
//! an archive that a person can judge. The table of findings is in `docs/publishing.md`.
//!
//! `sportsctl` examines a release before anything is written; the figures of the server do not depend on findings.

mod checks;
mod examined;
mod finding;
mod report;
mod season_games;
mod share;

pub use examined::examine;
pub use finding::{Finding, FindingKind, Severity};
pub use report::{MarketReport, ModelRecord};
