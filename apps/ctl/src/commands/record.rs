//! Commands of the provable record.

mod check;

use crate::cli::Record;
use crate::failure::Failure;
use crate::report::Report;

/// Runs a command of the record.
pub fn run(record: &Record) -> Result<Report, Failure> {
    match record {
        Record::Check(arguments) => check::run(arguments),
    }
}
