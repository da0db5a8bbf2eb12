//! A feed of The Odds API (version 4) becomes an odds file.

mod convert;
mod feed;
mod quote;
mod teams;

pub use convert::{COLUMNS, Conversion, FeedRequest, LeftOut, OddsFileGame, Reason, convert, odds_file};
pub use feed::{Feed, FeedError, FieldPath};
pub use quote::KnownStarts;
pub use teams::TeamTable;

use sports_domain::FormError;

/// Returns the error of a file that is not CSV, with the reason.
#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn not_csv(error: csv::Error) -> FormError {
    FormError::new(format!("it is not a CSV file: {error}"))
}
