#![doc = include_str!("../README.md")]

mod facts;
mod head;
mod index;
mod ledger;
mod table;

pub use facts::{EntryFacts, TreeFacts};
pub use head::{Beyond, Head, Link, Newest, NotLinked, entry_before, is_simulated, newest_entry};
pub use index::{BLOCK, decode, encode, write_indexes};
pub use ledger::{BeingRead, Ledger, Ledgers, Run, is_being_read};
pub use table::{NoPlace, Place, RunEnd, Sought};

use sports_domain::Sport;
use sports_ports::PortError;
use sports_publication::Generation;

/// The name of the port in errors about a log.
const PORT: &str = "the publication log";

/// Returns the error of an entry that is needed and cannot be read.
pub fn unreadable_entry(sport: Sport, generation: Generation) -> PortError {
    PortError::corrupt(PORT, format!("entry {generation} of {sport} cannot be read"))
}
