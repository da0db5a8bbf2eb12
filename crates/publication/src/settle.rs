//! Settlement: adding finals to games on record.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{Club, GameKey, ModelType, Season, Sport, TeamSlug};

use crate::identity::{Distance, Start};
use crate::{Ending, FinalRow, Located, Place, Problem, SeasonArchive};

/// The permissions of a settlement beyond adding finals to games without a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Replace endings on record.
    pub correct: bool,
    /// Skip games that are not on record.
    pub allow_unknown: bool,
}

/// The result of a settlement, in games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettleReport {
    /// Games that got a final, or whose provisional final is settled now.
    pub settled: usize,
    /// Games that were called off and had no ending before.
    pub called_off: usize,
    /// Games whose ending was replaced.
    pub corrected: usize,
    /// Games with the same ending before.
    pub unchanged: usize,
    /// Skipped games that are not on record.
    pub unknown: Vec<GameKey>,
    /// Hints at the recorded games that the skipped rows probably mean.
    pub warnings: Vec<String>,
}

/// Season archives by model type and season.
pub type SeasonArchives = BTreeMap<(ModelType, Season), SeasonArchive>;

/// Writes endings into every archive that has the game, and returns the archives. Every game has its identity.
///
/// A row's game is the game with its `game_id` or `match_id`, else the game with its start. A row without a start time
/// means the only game of its teams on its date. Outside mlb, a start within 12 hours of a present or earlier start of
/// a game is of that game.
///
/// # Errors
///
/// Returns a problem for every row:
/// - of a game that is not on record, unless allowed;
/// - of several games, or whose id and start are of two games;
/// - of a game that has not started, or that another row has already;
/// - whose ending contradicts the ending on record, unless corrections are allowed.
pub fn settle(
    mut archives: SeasonArchives,
    finals: &[Located<FinalRow>],
    permissions: Permissions,
    now: DateTime<Utc>,
) -> Result<(SeasonArchives, SettleReport), Vec<Problem>> {
    let mut settling =
        Settling { known: KnownGames::from_archives(&archives), permissions, now, ..Settling::default() };
    for row in finals {
        if let Err(problem) = settling.row(row) {
            settling.problems.push(problem);
        }
    }
    if !settling.problems.is_empty() {
        return Err(settling.problems);
    }
    let Settling { endings, report, .. } = settling;
    for archive in archives.values_mut() {
        archive.end(|id| endings.get(id));
    }
    Ok((archives, report))
}

/// A game on record, merged over its markets.
#[derive(Debug, Clone)]
struct KnownEnding {
    season: Season,
    key: GameKey,
    id: String,
    match_id: Option<String>,
    starts: Vec<Start>,
    ending: Option<Ending>,
}

impl KnownEnding {
    const fn is_called_off(&self) -> bool {
        matches!(self.ending, Some(Ending::CalledOff { .. }))
    }
}

/// Every game on record.
#[derive(Default)]
struct KnownGames {
    /// `None` without archives.
    sport: Option<Sport>,
    games: BTreeMap<String, KnownEnding>,
    by_date: BTreeMap<NaiveDate, Vec<String>>,
}

impl KnownGames {
    fn from_archives(archives: &SeasonArchives) -> Self {
        let mut games: BTreeMap<String, KnownEnding> = BTreeMap::new();
        for ((_, season), archive) in archives {
            for facts in archive.games().iter().map(|game| &game.facts) {
                let id = facts.game_id.clone().unwrap_or_else(|| format!("{season} {}", facts.key));
                let known = games.entry(id.clone()).or_insert_with(|| KnownEnding {
                    season: *season,
                    key: facts.key.clone(),
                    id,
                    match_id: None,
                    starts: vec![Start::of(&facts.key)],
                    ending: None,
                });
                // A file of one market may have settled the game in that market only.
                known.ending = known.ending.take().or_else(|| facts.ending.clone());
                known.match_id = known.match_id.take().or_else(|| facts.match_id.clone());
                known.starts.extend(Start::list(facts.former_starts.as_deref()));
            }
        }
        let mut by_date: BTreeMap<NaiveDate, Vec<String>> = BTreeMap::new();
        for game in games.values() {
            by_date.entry(game.key.date).or_default().push(game.id.clone());
        }
        Self { sport: archives.values().next().map(|archive| archive.market().sport), games, by_date }
    }

    /// Returns the game that a row names by an identity or by a `match_id`; games that were called off have no
    /// `match_id`.
    fn named(&self, row: &FinalRow) -> Option<&KnownEnding> {
        let by_id = row.game_id.as_ref().and_then(|id| self.games.get(id));
        let has_name =
            |game: &&KnownEnding| game.match_id.is_some() && game.match_id == row.match_id && !game.is_called_off();
        by_id.or_else(|| self.games.values().filter(has_name).max_by_key(|game| self.same_teams(&game.key, &row.key)))
    }

    /// Returns the games of the same teams on the same date, under any names of the clubs.
    fn of_same_day(&self, key: &GameKey) -> Vec<&KnownEnding> {
        self.of_day(key.date).filter(|known| self.same_teams(&known.key, key)).collect()
    }

    /// Returns the games of the same teams with a present or earlier start within 12 hours of a row's, outside mlb.
    fn near(&self, key: &GameKey) -> Vec<&KnownEnding> {
        if self.sport == Some(Sport::Mlb) || key.time.is_none() {
            return Vec::new();
        }
        let start = Start::of(key);
        let is_near = |game: &&KnownEnding| game.starts.iter().any(|known| known.distance(start) == Distance::Near);
        let games = self.games.values().filter(|game| self.same_teams(&game.key, key));
        games.filter(|game| is_near(game) && !game.is_called_off()).collect()
    }

    /// Returns a game of the date with home and away exchanged.
    fn swapped(&self, key: &GameKey) -> Option<&GameKey> {
        let exchanged = GameKey { away: key.home.clone(), home: key.away.clone(), ..key.clone() };
        self.of_day(key.date).find(|known| self.same_teams(&known.key, &exchanged)).map(|known| &known.key)
    }

    fn of_day(&self, date: NaiveDate) -> impl Iterator<Item = &KnownEnding> {
        self.by_date.get(&date).into_iter().flatten().filter_map(|id| self.games.get(id))
    }

    fn same_teams(&self, known: &GameKey, given: &GameKey) -> bool {
        self.is_same(&known.away, &given.away) && self.is_same(&known.home, &given.home)
    }

    fn is_same(&self, known: &TeamSlug, given: &TeamSlug) -> bool {
        known == given || self.sport.is_some_and(|sport| Club::is_same(sport, known, given))
    }
}

#[derive(Default)]
struct Settling {
    known: KnownGames,
    permissions: Permissions,
    now: DateTime<Utc>,
    endings: HashMap<String, Ending>,
    seen: BTreeSet<String>,
    report: SettleReport,
    problems: Vec<Problem>,
}

impl Settling {
    fn row(&mut self, row: &Located<FinalRow>) -> Result<(), Problem> {
        let FinalRow { key: incoming, ending, .. } = &row.value;
        let Some(game) = self.game(row)?.cloned() else {
            self.pass_over(&row.place, incoming);
            return Ok(());
        };
        let key = &game.key;
        if !self.seen.insert(game.id.clone()) {
            return Err(Problem::at(row.place.clone(), format!("each game once; another row is of {key} too")));
        }
        if matches!(ending, Ending::Final { .. }) && !key.may_have_started(self.now) {
            let expected = format!("a game that has started; {key} has not");
            return Err(wrong_ending(row, expected));
        }
        self.end(row, &game)
    }

    fn pass_over(&mut self, place: &Place, key: &GameKey) {
        let same_day = self.known.of_same_day(key).into_iter().map(|game| format!("{} is", game.key));
        let swapped = self.known.swapped(key).map(is_swapped);
        if let Some(likely) = same_day.chain(swapped).next() {
            self.report.warnings.push(format!("{place}: {key} is not on record; {likely}"));
        }
        self.report.unknown.push(key.clone());
    }

    fn end(&mut self, row: &Located<FinalRow>, game: &KnownEnding) -> Result<(), Problem> {
        let ending = &row.value.ending;
        match game.ending.clone() {
            Some(existing) if existing == *ending => self.report.unchanged += 1,
            // A postponed or suspended game may be played later.
            Some(Ending::CalledOff { .. }) | None => match ending {
                Ending::Final { .. } => self.report.settled += 1,
                Ending::CalledOff { .. } => self.report.called_off += 1,
            },
            Some(existing) if confirms(ending, &existing) => self.report.settled += 1,
            Some(_) if self.permissions.correct => self.report.corrected += 1,
            Some(existing) => {
                let expected = format!("the ending on record, {existing}; --correct replaces it");
                return Err(wrong_ending(row, expected));
            }
        }
        self.endings.insert(game.id.clone(), ending.clone());
        Ok(())
    }

    /// Returns the game of a row; `None` if it is not on record and that is allowed.
    fn game(&self, row: &Located<FinalRow>) -> Result<Option<&KnownEnding>, Problem> {
        let key = &row.value.key;
        let same_day = self.known.of_same_day(key);
        let same_start = |known: &&&KnownEnding| (known.key.time, known.key.game_number) == (key.time, key.game_number);
        let near = self.known.near(key);
        // The game that replaced a game which was called off has its final.
        let is_replaced = |known: &&&KnownEnding| known.is_called_off() && !near.is_empty();
        let exact: Vec<_> = same_day.iter().filter(same_start).filter(|known| !is_replaced(known)).copied().collect();
        if let Some(named) = self.known.named(&row.value) {
            return self.agreeing(row, named, &exact).map(Some);
        }
        let has_unknown_id = row.value.game_id.is_some();
        match (&*exact, &*same_day) {
            _ if has_unknown_id && self.permissions.allow_unknown => return Ok(None),
            _ if has_unknown_id => return Err(wrong_game(row, "the `game_id` of a game on record")),
            ([game], _) => return self.agreeing(row, game, &exact).map(Some),
            ([], [only]) if key.time.is_none() && key.game_number.is_none() => {
                return self.agreeing(row, only, &exact).map(Some);
            }
            ([], _) => {}
            (games, _) => return Err(wrong_game(row, several(games))),
        }
        match (&*near, &*same_day) {
            ([game], _) => self.agreeing(row, game, &exact).map(Some),
            ([], [] | [_]) if self.permissions.allow_unknown => Ok(None),
            ([], []) => Err(self.unknown(row)),
            ([], games) | (games, _) => {
                let on_record: Vec<_> = games.iter().map(|game| game.key.to_string()).collect();
                let expected = format!("a game on record; there is {}", on_record.join(" and "));
                Err(wrong_game(row, expected))
            }
        }
    }

    /// Returns a row's game, if the row's teams, start and id agree with it.
    fn agreeing<'k>(
        &self,
        row: &Located<FinalRow>,
        named: &'k KnownEnding,
        exact: &[&KnownEnding],
    ) -> Result<&'k KnownEnding, Problem> {
        let (key, start) = (&row.value.key, Start::of(&row.value.key));
        let is_mlb = self.known.sport == Some(Sport::Mlb);
        let is_near = |known: &Start| known.date == start.date || (!is_mlb && known.distance(start) == Distance::Near);
        let other = exact.iter().find(|game| game.id != named.id && exact.iter().all(|game| game.id != named.id));
        let agrees = self.known.same_teams(&named.key, key) && named.starts.iter().any(is_near);
        let ids = row.value.match_id.as_ref().zip(named.match_id.as_ref());
        if let Some((given, known)) = ids.filter(|(given, known)| given != known) {
            let expected = format!("a row of one game: its start is of {} (`{known}`), its id is `{given}`", named.key);
            return Err(wrong_game(row, expected));
        }
        match other {
            None if agrees => Ok(named),
            other => {
                let at_start = other.map(|game| format!(", and its start is of {}", game.key)).unwrap_or_default();
                let expected = format!("a row of one game: its id is of {} (`{}`){at_start}", named.key, named.id);
                Err(wrong_game(row, expected))
            }
        }
    }

    fn unknown(&self, row: &Located<FinalRow>) -> Problem {
        let FinalRow { key, remarks, .. } = &row.value;
        let passing = || "--allow-unknown passes such rows over".to_owned();
        let way_out = self.known.swapped(key).map_or_else(passing, is_swapped);
        let expected: Vec<_> =
            ["a game on record"].into_iter().chain(remarks.iter().map(String::as_str)).chain([&*way_out]).collect();
        wrong_game(row, expected.join("; "))
    }
}

/// Describes the expected value for several games at one start, in several seasons.
fn several(games: &[&KnownEnding]) -> String {
    let games: Vec<_> = games.iter().map(|game| format!("{} in {} (`{}`)", game.key, game.season, game.id)).collect();
    format!("a `game_id`, as the record has {}", games.join(" and "))
}

fn is_swapped(known: &GameKey) -> String {
    format!("{known} is, with home and away the other way round")
}

/// Returns true if an ending confirms a provisional final unchanged.
fn confirms(incoming: &Ending, existing: &Ending) -> bool {
    match (incoming, existing) {
        (Ending::Final { score, .. }, Ending::Final { score: provisional, status }) => {
            score == provisional && status != Ending::SETTLED
        }
        _ => false,
    }
}

/// Creates a problem with the game of a row.
fn wrong_game(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("game", row.value.key.to_string())
}

/// Creates a problem with the ending of a row.
fn wrong_ending(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("away_score, home_score", row.value.ending.to_string())
}
