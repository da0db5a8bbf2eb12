//! Commands of the provable record.

mod announce;
mod audit;
mod check;
pub mod keys;
mod prove;
mod remote;
mod restart;
mod sign;
mod verifier;
mod voices;
mod watch;

use crate::cli::{Record, RecordKeys};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Runs a command of the record.
pub async fn run(places: &Places<'_>, record: &Record) -> Result<Report, Failure> {
    match record {
        Record::Check(arguments) => check::run(arguments),
        Record::Prove(arguments) => prove::run(places, arguments).await,
        Record::Watch(arguments) => watch::run(places, arguments).await,
        Record::Announce { sport } => announce::run(places.settings(), *sport),
        Record::Verifier => Ok(verifier::run(places.settings())),
        Record::Audit(arguments) => audit::run(arguments, places.clock.now()).await,
        Record::Init => keys::init(places.settings()),
        Record::Keys { command: None } => keys::list(places.settings()),
        Record::Keys { command: Some(RecordKeys::Add { overlap }) } => keys::add(places, *overlap).await,
        Record::Restart { after } => restart::run(places, after).await,
        Record::Sign { sport } => sign::run(places, *sport).await,
    }
}
