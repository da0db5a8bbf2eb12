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

/// Returns the error of a file that is not CSV, with the reason.
#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn not_csv(error: csv::Error) -> FormError {
    FormError::new(format!("it is not a CSV file: {error}"))
}
