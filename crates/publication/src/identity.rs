//! The identity of games: one resolver maps every listing of a release to its game.
//!
//! A game gets its identity when it is first recorded. Its start is an attribute with a history.

mod doubleheader;
mod finals;
mod follow;
mod game_id;
mod listings;
mod naming;
mod on_record;
mod refusal;
mod resolution;
mod resolver;
mod rules;
mod start;
mod stated;

pub(crate) use finals::{GamesOfFinals, NoGame};
pub use follow::in_terms_of_record;
#[cfg(feature = "testing")]
pub(crate) use game_id::TakenIds;
pub use listings::{Listing, Listings, has_unknown_names};
pub use on_record::{KnownGame, OnRecord, RecordPart};
pub use refusal::Refusal;
pub use resolution::{Doubtful, Known, Move, Resolution, Resolved};
pub use resolver::{Identity, Resolver};
pub use start::{Distance, ONE_GAME, Start};
pub use stated::Stated;
