//! The rules that map a row of finals to a game on record.
//!
//! A final has no season, creates no game and changes no start, and its teams may have their names of another season. So it
//! is no [`Listing`](super::Listing); the index of the record and the distances between starts are the same.

use std::collections::BTreeSet;

use sports_domain::{Club, GameKey, Sport, TeamSlug};

use super::on_record::{KnownGame, OnRecord};
use super::start::Start;
use crate::{FinalRow, Located, Problem};

/// The reason why a row of finals has no game.
#[derive(Debug)]
pub(crate) enum NoGame {
    /// The game is not on record.
    Unknown {
        /// The problem, unless unknown games are allowed.
        problem: Box<Problem>,
        /// The recorded game that the row probably means.
        likely: Option<String>,
    },
    /// The row contradicts the record, or could be of several games.
    Refused(Box<Problem>),
}

/// The games on record, by the rules for finals.
pub(crate) struct GamesOfFinals<'a> {
    sport: Option<Sport>,
    on_record: &'a OnRecord,
    teams: BTreeSet<&'a TeamSlug>,
    /// The rows of the file.
    finals: &'a [Located<FinalRow>],
}

/// The recorded games of a row's teams.
struct Candidates<'a> {
    /// Games on the row's date.
    same_day: Vec<&'a KnownGame>,
    /// Games with the row's start.
    exact: Vec<&'a KnownGame>,
    /// Games with a present or earlier start within 12 hours, outside mlb.
    near: Vec<&'a KnownGame>,
}

impl<'a> GamesOfFinals<'a> {
    /// Creates the rules for the games of a record of the league, and a file of finals.
    pub(crate) fn of(sport: Option<Sport>, on_record: &'a OnRecord, finals: &'a [Located<FinalRow>]) -> Self {
        let teams = on_record.games().flat_map(|game| [&game.key.away, &game.key.home]).collect();
        Self { sport, on_record, teams, finals }
    }

    /// Returns the game of a row: by its `game_id` or `match_id`, else by its start, else outside mlb by a start within
    /// 12 hours, else the game whose start is not known once the others of the day are accounted for. A row without a time is of
    /// the only game of its teams and date.
    pub(crate) fn game_of(&self, row: &Located<FinalRow>) -> Result<&'a KnownGame, NoGame> {
        let candidates = self.candidates(&row.value.key);
        let game = match self.named(row)? {
            Some(game) => game,
            None => self.at_start(row, &candidates)?,
        };
        self.check(row, game, &candidates.exact).map_err(|problem| NoGame::Refused(problem.into()))?;
        Ok(game)
    }

    fn candidates(&self, key: &GameKey) -> Candidates<'a> {
        let games: Vec<_> = self.pairing(&key.away, &key.home).collect();
        let has_near = |game: &&&KnownGame| !game.is_called_off && key.time.is_some() && self.is_near(game, key);
        let near: Vec<_> = games.iter().filter(has_near).copied().collect();
        let same_day: Vec<_> = games.into_iter().filter(|game| game.key.date == key.date).collect();
        let at = |time| {
            let has_start = |game: &&&KnownGame| (game.key.time, game.key.game_number) == (time, key.game_number);
            // The game that replaced a game which was called off has its final.
            let is_replaced = |game: &&&KnownGame| game.is_called_off && !near.is_empty();
            same_day.iter().filter(has_start).filter(|game| !is_replaced(game)).copied().collect::<Vec<_>>()
        };
        let mut exact = at(key.time);
        if exact.is_empty() && self.sport.is_some_and(|sport| key.has_placeholder(sport)) {
            exact = at(None);
        }
        Candidates { same_day, exact, near }
    }

    /// Returns the game that a row names. Games that were called off have no `match_id`.
    fn named(&self, row: &Located<FinalRow>) -> Result<Option<&'a KnownGame>, NoGame> {
        let FinalRow { key, game_id, match_id, .. } = &row.value;
        if let Some(id) = game_id {
            let problem = || wrong_game(row, "the `game_id` of a game on record");
            return self.on_record.get(id).map(Some).ok_or_else(|| self.unknown(key, problem()));
        }
        let games = match_id.iter().flat_map(|id| self.on_record.named(id));
        Ok(games.max_by_key(|game| self.has_teams(game, key)))
    }

    fn at_start(&self, row: &Located<FinalRow>, candidates: &Candidates<'a>) -> Result<&'a KnownGame, NoGame> {
        let key = &row.value.key;
        let Candidates { same_day, exact, near } = candidates;
        if exact.is_empty()
            && near.is_empty()
            && let Some(game) = self.left_over(key, same_day)
        {
            return Ok(game);
        }
        match (&**exact, &**same_day, &**near) {
            ([], [only], _) if is_bare(key) => Ok(only),
            ([game], ..) | ([], _, [game]) => Ok(game),
            ([], [], []) => Err(self.unknown(key, self.not_on_record(row))),
            ([], [only], []) => Err(self.unknown(key, wrong_game(row, instead(&[only])))),
            ([], games, []) | ([], _, games) => Err(NoGame::Refused(wrong_game(row, instead(games)).into())),
            (games, ..) => Err(NoGame::Refused(wrong_game(row, several(games)).into())),
        }
    }

    /// Returns the only game of a day without a start, if every other has its ending or a row of the file at its own start.
    fn left_over(&self, key: &GameKey, games: &[&'a KnownGame]) -> Option<&'a KnownGame> {
        let is_listed = |game: &KnownGame| {
            let has_start = |key: &GameKey| Start::of(key) == game.start() && self.has_teams(game, key);
            self.finals.iter().any(|row| has_start(&row.value.key))
        };
        let (untimed, timed): (Vec<&KnownGame>, Vec<_>) =
            games.iter().copied().filter(|game| !game.is_over()).partition(|game| game.key.time.is_none());
        match (key.time, &*untimed) {
            (Some(_), [game]) if timed.into_iter().all(is_listed) => Some(game),
            _ => None,
        }
    }

    /// Checks that a row's teams, start and `match_id` agree with its game. `exact` has the games with the row's start.
    fn check(&self, row: &Located<FinalRow>, game: &KnownGame, exact: &[&KnownGame]) -> Result<(), Problem> {
        let FinalRow { key, match_id, .. } = &row.value;
        let expected = |what: String| wrong_game(row, format!("a row of one game: {what}"));
        if let Some((given, known)) = match_id.as_ref().zip(game.match_id.as_ref()).filter(|(one, other)| one != other)
        {
            return Err(expected(format!("its start is of {} (`{known}`), its id is `{given}`", game.key)));
        }
        let has_start = exact.iter().any(|known| known.id == game.id);
        let other = exact.first().filter(|_| !has_start && !is_bare(key));
        let is_of_date = game.starts().any(|start| start.date == key.date) || self.is_near(game, key);
        if other.is_none() && is_of_date && self.has_teams(game, key) {
            return Ok(());
        }
        let at_start = other.map(|other| format!(", and its start is of {}", other.key)).unwrap_or_default();
        Err(expected(format!("its id is of {} (`{}`){at_start}", game.key, game.id)))
    }

    fn unknown(&self, key: &GameKey, problem: Problem) -> NoGame {
        let mut same_day = self.pairing(&key.away, &key.home).filter(|game| game.key.date == key.date);
        let likely = same_day.next().map(|game| format!("{} is", game.key)).or_else(|| self.meant(key));
        NoGame::Unknown { problem: Box::new(problem), likely }
    }

    fn not_on_record(&self, row: &Located<FinalRow>) -> Problem {
        let FinalRow { key, remarks, .. } = &row.value;
        let way_out = self.meant(key).unwrap_or_else(|| "--allow-unknown passes such rows over".to_owned());
        let remarks = remarks.iter().map(String::as_str);
        let expected: Vec<_> = std::iter::once("a game on record").chain(remarks).chain([&*way_out]).collect();
        wrong_game(row, expected.join("; "))
    }

    /// Describes the game that a row of unknown teams probably means: with home and away exchanged, or of one of the
    /// teams at the same minute, whose other team may have another name.
    fn meant(&self, key: &GameKey) -> Option<String> {
        let at_start = |game: &&KnownGame| key.time.is_some() && game.start() == Start::of(key);
        let has_team =
            |game: &&KnownGame| self.is_same(&game.key.away, &key.away) || self.is_same(&game.key.home, &key.home);
        let of_minute = || self.on_record.games().filter(at_start).find(has_team);
        self.swapped(key).or_else(|| of_minute().map(|game| format!("{} is, at that start", game.key)))
    }

    /// Describes a game of the date with home and away exchanged.
    fn swapped(&self, key: &GameKey) -> Option<String> {
        let game = self.pairing(&key.home, &key.away).find(|game| game.key.date == key.date)?;
        Some(format!("{} is, with home and away the other way round", game.key))
    }

    /// Returns the games in which `away` visits `home`, under any names of the clubs.
    fn pairing(&self, away: &TeamSlug, home: &TeamSlug) -> impl Iterator<Item = &'a KnownGame> + use<'a> {
        let names = |team: &TeamSlug| self.teams.iter().filter(|known| self.is_same(known, team)).copied().collect();
        let (visitors, hosts): (Vec<_>, Vec<_>) = (names(away), names(home));
        let on_record = self.on_record;
        let hosts_of = move |away| hosts.clone().into_iter().map(move |home| (away, home));
        visitors.into_iter().flat_map(hosts_of).flat_map(move |(away, home)| on_record.pairing(away, home))
    }

    fn is_near(&self, game: &KnownGame, key: &GameKey) -> bool {
        self.sport != Some(Sport::Mlb) && game.is_near(Start::of(key))
    }

    fn has_teams(&self, game: &KnownGame, key: &GameKey) -> bool {
        self.is_same(&game.key.away, &key.away) && self.is_same(&game.key.home, &key.home)
    }

    fn is_same(&self, known: &TeamSlug, given: &TeamSlug) -> bool {
        self.sport.is_some_and(|sport| Club::is_same(sport, known, given))
    }
}

/// Returns true for a row that has neither a start nor a number.
const fn is_bare(key: &GameKey) -> bool {
    key.time.is_none() && key.game_number.is_none()
}

/// Describes the expected value for a row whose start no game has.
fn instead(games: &[&KnownGame]) -> String {
    let games: Vec<_> = games.iter().map(|game| game.key.to_string()).collect();
    format!("a game on record; there is {}", games.join(" and "))
}

/// Describes the expected value for several games at one start, in several seasons.
fn several(games: &[&KnownGame]) -> String {
    let games: Vec<_> = games.iter().map(|game| format!("{} in {} (`{}`)", game.key, game.season, game.id)).collect();
    format!("a `game_id`, as the record has {}", games.join(" and "))
}

/// Creates a problem with the game of a row.
fn wrong_game(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("game", row.value.key.to_string())
}
