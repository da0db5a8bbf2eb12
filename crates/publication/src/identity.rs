//! The identity of games: one resolver maps every listing of a release to its game.
//!
//! A game gets its identity when it is first recorded. Its start is an attribute with a history.

mod finals;
mod follow;
mod listings;
mod on_record;
mod resolution;
mod resolver;
mod rules;
mod start;
mod stated;

use std::collections::HashSet;

use foldhash::fast::RandomState;
use sports_domain::{GameKey, Season, Sport};

pub(crate) use finals::{GamesOfFinals, NoGame};
pub use follow::in_terms_of_record;
pub use listings::{Listing, Listings, has_unknown_names};
pub use on_record::{KnownGame, OnRecord, RecordPart};
pub use resolution::{Doubtful, Known, Move, Resolution, Resolved};
pub use resolver::{Identity, Refusal, Resolver};
pub use start::{Distance, ONE_GAME, Start};
pub use stated::Stated;

// The format of `game_id`.

/// The characters of a date.
const DATE: usize = "2024-01-06".len();

/// Returns the identity of the first game of a pairing on a date, such as
/// `nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens`.
pub fn first_id(sport: Sport, key: &GameKey) -> String {
    format!("{sport}-{}-{}-{}", key.date, key.away, key.home)
}

/// The identities in use, from which new identities are numbered.
#[derive(Debug, Default)]
pub struct TakenIds(HashSet<String, RandomState>);

impl TakenIds {
    /// Reserves space for new identities.
    fn reserve(&mut self, ids: usize) {
        self.0.reserve(ids);
    }

    /// Marks an identity as taken.
    pub fn take(&mut self, id: &str) {
        if !self.0.contains(id) {
            self.0.insert(id.to_owned());
        }
    }

    /// Marks an identity that a publisher gives a new game as taken; returns false if the game cannot have it.
    ///
    /// The identity has the league, a date that the season can have, and both teams. No game has it, and some game has the
    /// identity with the number before.
    fn claim(&mut self, id: &str, sport: Sport, season: Season, key: &GameKey) -> bool {
        let place = sport.code().len() + 1;
        let date = id.get(place..place + DATE).and_then(|date| date.parse().ok());
        let Some(date) = date.filter(|date| season.can_have(*date)) else { return false };
        let first = first_id(sport, &GameKey { date, ..key.clone() });
        let number = id.strip_prefix(&*first).and_then(|rest| rest.strip_prefix('-')?.parse().ok());
        let before = match number {
            Some(2) => Some(first.clone()),
            Some(number @ 3..) => Some(format!("{first}-{}", number - 1)),
            _ => None,
        };
        let is_next = before.is_some_and(|before| self.0.contains(&before));
        let has_form = id == first || (is_next && number.is_some_and(|number: u32| id == format!("{first}-{number}")));
        has_form && self.0.insert(id.to_owned())
    }

    /// Returns the identity of a new game: the first of its pairing and date, else the first with the next free number.
    pub fn next(&mut self, sport: Sport, key: &GameKey) -> String {
        let first = first_id(sport, key);
        let mut id = first.clone();
        let mut number = 2;
        while !self.0.insert(id.clone()) {
            id = format!("{first}-{number}");
            number += 1;
        }
        id
    }
}
