//! A feed of The Odds API (version 4) becomes an odds file.

mod convert;
mod error;
mod feed;
mod field_path;
mod odds_file;
mod quote;
mod starts;
mod teams;

pub use convert::{Conversion, FeedRequest, LeftOut, Reason, convert};
pub use error::FeedError;
pub use feed::Feed;
pub use field_path::FieldPath;
pub use odds_file::{COLUMNS, OddsFileGame, odds_file};
pub use starts::{KnownStarts, NoStarts};
pub use teams::{NotATeamTable, TeamTable};
