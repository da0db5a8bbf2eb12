//! Commands of the provable record.

mod check;
mod keys;
mod restart;
mod sign;

use crate::cli::{Record, RecordKeys};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Runs a command of the record.
pub async fn run(places: &Places<'_>, record: &Record) -> Result<Report, Failure> {
    match record {
        Record::Check(arguments) => check::run(arguments),
        Record::Init => keys::init(places.settings()),
        Record::Keys { command: None } => keys::list(places.settings()),
        Record::Keys { command: Some(RecordKeys::Add { overlap }) } => keys::add(places, *overlap),
        Record::Restart { after } => restart::run(places, after).await,
        Record::Sign { sport } => sign::run(places, *sport).await,
    }
}
