//! A feed of The Odds API (version 4) becomes an odds file.

mod convert;
mod feed;
mod quote;
mod teams;

pub use convert::{COLUMNS, Conversion, FeedRequest, LeftOut, OddsFileGame, Reason, convert, odds_file};
pub use feed::{Feed, FeedError, FieldPath};
pub use quote::{KnownStarts, NoStarts};
pub use teams::{NotATeamTable, TeamTable};
