//! The games that a release lists under `moved`.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, Season};

use super::listings::Listings;
use super::on_record::{KnownGame, OnRecord};
use super::start::Start;
use crate::{Located, MovedBy, MovedGame, Place, Problem};

/// A game on record and the key that the release states for it.
#[derive(Debug, Clone)]
pub(super) struct StatedGame<'a, 'r> {
    pub(super) game: &'a KnownGame,
    pub(super) to: &'r GameKey,
    pub(super) place: &'r Place,
}

/// Every stated game, by identity and by new key.
#[derive(Debug, Default)]
pub struct Stated<'a, 'r> {
    games: Vec<StatedGame<'a, 'r>>,
    by_id: HashMap<&'a str, usize, RandomState>,
    season: Option<Season>,
}

impl<'a, 'r> Stated<'a, 'r> {
    /// Finds the game of each statement: by `game_id` or `match_id`, by a present start, else by an earlier start that
    /// only one game had. `season` is the season of the slate, into which stated games move.
    ///
    /// # Errors
    ///
    /// Returns a problem for every statement that names no game, several games, or a finished game for a future start.
    pub fn find(
        moved: &'r [Located<MovedGame>],
        on_record: &'a OnRecord,
        listings: &Listings<'r>,
        season: Season,
        now: DateTime<Utc>,
    ) -> Result<Self, Vec<Problem>> {
        let search = Search { moved, on_record, listings, season };
        let made = search.made_before();
        let (mut stated, mut problems) = (Self { season: Some(season), ..Self::default() }, Vec::new());
        for (index, row) in moved.iter().enumerate() {
            let found = if made.contains(&index) {
                Ok(on_record.at(season, &row.value.to))
            } else {
                search.game(row).map(Some)
            };
            match found.and_then(|game| game.map_or(Ok(None), |game| search.check(row, game, now).map(Some))) {
                Ok(Some(game)) => problems.extend(stated.add(game, row)),
                Ok(None) => {}
                Err(expected) => problems.push(wrongly(row, &expected)),
            }
        }
        if problems.is_empty() { Ok(stated) } else { Err(problems) }
    }

    fn add(&mut self, game: &'a KnownGame, row: &'r Located<MovedGame>) -> Option<Problem> {
        if self.by_id.insert(&game.id, self.games.len()).is_some() {
            return Some(wrongly(row, "each game rescheduled once"));
        }
        self.games.push(StatedGame { game, to: &row.value.to, place: &row.place });
        None
    }

    pub(super) fn games(&self) -> impl Iterator<Item = &StatedGame<'a, 'r>> {
        self.games.iter()
    }

    /// Returns the key that the release states for a game.
    pub fn target(&self, game: &KnownGame) -> Option<&'r GameKey> {
        self.by_id.get(&*game.id).map(|index| self.games[*index].to)
    }

    /// Returns the game for which the release states this key.
    pub fn game_at(&self, season: Season, key: &GameKey) -> Option<&'a KnownGame> {
        let mut games = self.games.iter().filter(|_| self.season == Some(season));
        games.find(|stated| stated.to == key).map(|stated| stated.game)
    }
}

struct Search<'s, 'a, 'r> {
    moved: &'r [Located<MovedGame>],
    on_record: &'a OnRecord,
    listings: &'s Listings<'r>,
    season: Season,
}

impl<'a, 'r> Search<'_, 'a, 'r> {
    fn game(&self, row: &'r Located<MovedGame>) -> Result<&'a KnownGame, String> {
        let to = &row.value.to;
        match &row.value.by {
            MovedBy::GameId(id) => self.on_record.get(id).ok_or_else(|| "the `game_id` of a game on record".to_owned()),
            MovedBy::MatchId(id) => {
                let game = self.on_record.named(id).max_by_key(|game| game.key.same_teams(to));
                game.ok_or_else(|| "the `match_id` of a game on record".to_owned())
            }
            MovedBy::Start(from) => self.at_start(from).and_then(|game| {
                let name = game.match_id.as_deref();
                let is_listed = self.listings.get(self.season, to).is_some_and(|listing| listing.match_id.is_some());
                if circles(self.moved, from) && (name.is_none() || !is_listed) {
                    return Err("the `match_id` of both games in the files where they change places: without it the \
                                same folder, published again, would change them back"
                        .to_owned());
                }
                Ok(game)
            }),
        }
    }

    fn at_start(&self, from: &GameKey) -> Result<&'a KnownGame, String> {
        let games = || self.on_record.pairing(&from.away, &from.home);
        if let Some(game) = self.on_record.at(self.season, from).or_else(|| games().find(|game| game.key == *from)) {
            return Ok(game);
        }
        let had: Vec<_> = games().filter(|game| game.former.contains(&Start::of(from))).collect();
        match &*had {
            [game] => Ok(game),
            [] => Err("a game on record in `from`".to_owned()),
            games => {
                let games: Vec<_> = games.iter().map(|game| format!("{} (`{}`)", game.key, game.id)).collect();
                Err(format!("the `game_id` of one game: several had the start in `from`, {}", games.join("; ")))
            }
        }
    }

    fn check(
        &self,
        row: &Located<MovedGame>,
        game: &'a KnownGame,
        now: DateTime<Utc>,
    ) -> Result<&'a KnownGame, String> {
        let to = &row.value.to;
        if !game.key.same_teams(to) {
            return Err(format!("the teams on record, {}", game.key));
        }
        if game.season != self.season && game.is_over() {
            return Err(format!("a game without a final: {} keeps its season, {}", game.key, game.season));
        }
        if game.is_over() && game.key != *to && !to.has_started(now) {
            return Err("a game that is not over".to_owned());
        }
        Ok(game)
    }

    /// Returns the statements that an earlier release applied already: the game at the new start had the start in
    /// `from`, or no game is left there. If games swap starts, each must be at the start of its present `match_id`.
    fn made_before(&self) -> BTreeSet<usize> {
        let mut made = BTreeSet::new();
        loop {
            let follows = |from: &GameKey| made.iter().any(|index: &usize| self.moved[*index].value.to == *from);
            let is_made = |moved: &MovedGame| {
                let MovedBy::Start(from) = &moved.by else { return false };
                let Some(there) = self.on_record.at(self.season, &moved.to) else { return false };
                let left = self.on_record.at(self.season, from).is_none();
                let listed = self.listings.get(self.season, &moved.to).and_then(|listing| listing.match_id);
                let in_place = listed.is_some_and(|(id, _)| Some(id) == there.match_id.as_deref());
                let had = there.former.is_empty() || there.former.contains(&Start::of(from));
                (had && (left || follows(from))) || (circles(self.moved, from) && in_place)
            };
            let next: Vec<_> = (0..self.moved.len())
                .filter(|index| !made.contains(index) && is_made(&self.moved[*index].value))
                .collect();
            if next.is_empty() {
                return made;
            }
            made.extend(next);
        }
    }
}

/// Returns true if the statements lead from a start back to the same start.
fn circles(moved: &[Located<MovedGame>], start: &GameKey) -> bool {
    let next = |from: &GameKey| {
        let row = moved.iter().find(|row| matches!(&row.value.by, MovedBy::Start(key) if key == from));
        row.map(|row| &row.value.to)
    };
    std::iter::successors(next(start), |at| next(at)).take(moved.len()).any(|at| at == start)
}

fn wrongly(row: &Located<MovedGame>, expected: &str) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("moved", row.value.to_string())
}
