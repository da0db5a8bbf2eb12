//! Conversion of other programs' files.

mod account;
mod in_file;
mod tables;
mod the_odds_api;

use crate::cli::Convert;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Converts files of another program.
pub fn run(places: &Places<'_>, command: &Convert) -> Result<Report, Failure> {
    match command {
        Convert::TheOddsApi(feed) => the_odds_api::run(places, feed),
        Convert::Csv(tables) => tables::run(places, tables),
    }
}
