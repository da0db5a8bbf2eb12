#![doc = include_str!("../README.md")]

mod checks;
mod examined;
mod finding;
mod report;
mod season_games;
mod share;

pub use examined::{Examined, examine};
pub use finding::{Finding, FindingKind, Severity};
pub use report::{MarketReport, ModelRecord};
