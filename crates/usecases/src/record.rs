//! The published record: the entries of the log, the objects they name, and the current generation of each league.

mod archives;
mod chain;
mod generations;
mod past_archives;
mod run_ends;
mod slates;
mod threads;

pub use archives::Archives;
pub use chain::newest_entry;
pub use generations::{
    CurrentGenerations, CurrentSeasons, FailingGeneration, FailureKind, LeagueGeneration, NotReadYet, Preparation,
    StoreStatus,
};
pub use slates::Slates;
pub use threads::off_thread;

pub(crate) use chain::{Chain, CheckedNumber, Link, StrayReason, is_simulated};
pub(crate) use past_archives::PastArchives;
pub(crate) use run_ends::run_ends;
