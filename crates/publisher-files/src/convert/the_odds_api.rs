//! A feed of The Odds API (version 4) becomes an odds file, or a file of finals.

mod convert;
mod events;
mod feed;
mod quote;
mod scores;
mod teams;

pub use convert::{COLUMNS, Conversion, FeedRequest, OddsFileGame, convert, odds_file};
pub use events::{Account, LeftOut, Reason};
pub use feed::{Feed, FeedError, FieldPath};
pub use quote::KnownStarts;
pub use scores::{FinalGame, Finals, finals, finals_file};
pub use teams::TeamTable;

use sports_domain::FormError;

/// Writes a CSV file.
fn csv_file<const N: usize>(columns: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in std::iter::once(columns.map(str::to_owned)).chain(rows) {
        // Writing to memory does not fail.
        writer.write_record(record).unwrap_or_default();
    }
    writer.into_inner().unwrap_or_default()
}

/// Returns the error of a file that is not CSV, with the reason.
#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn not_csv(error: csv::Error) -> FormError {
    FormError::new(format!("it is not a CSV file: {error}"))
}
