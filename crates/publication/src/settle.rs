//! Adding finals to games on record.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sports_domain::{Club, GameKey, ModelType, Season, Sport, TeamSlug};

use crate::{Ending, FinalRow, Located, Place, Problem, SeasonArchive};

/// What a settlement may do beyond adding finals to games that have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Replace endings on record.
    pub correct: bool,
    /// Pass over games that are not on record.
    pub allow_unknown: bool,
}

/// What a settlement did, in games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettleReport {
    /// Games that have a final now and had none, or had a provisional one that is settled now.
    pub settled: usize,
    /// Games that are called off now and had no ending.
    pub called_off: usize,
    /// Games whose ending was replaced.
    pub corrected: usize,
    /// Games that had this ending already.
    pub unchanged: usize,
    /// Games that are on no record and were passed over.
    pub unknown: Vec<GameKey>,
    /// Which games on record those are likely to be.
    pub warnings: Vec<String>,
}

/// Season archives by what they are.
pub type SeasonArchives = BTreeMap<(ModelType, Season), SeasonArchive>;

/// Writes endings into every archive that has the game, and gives the archives back.
///
/// A row without a start time means the only game of its teams on its date.
///
/// # Errors
///
/// Every row that is of no game on record (unless that is allowed), of more than one, of a game that
/// has not started or another row is of already, and every ending that contradicts the one on record
/// (unless corrections are allowed).
pub fn settle(
    mut archives: SeasonArchives,
    finals: &[Located<FinalRow>],
    permissions: Permissions,
    now: DateTime<Utc>,
) -> Result<(SeasonArchives, SettleReport), Vec<Problem>> {
    let mut settling =
        Settling { known: KnownEndings::from_archives(&archives), permissions, now, ..Settling::default() };
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
        archive.end(|key| endings.get(key));
    }
    Ok((archives, report))
}

/// What the record says of every game it has, whatever its market.
#[derive(Default)]
struct KnownEndings {
    /// Missing where nothing is on record.
    sport: Option<Sport>,
    games: BTreeMap<GameKey, Option<Ending>>,
}

impl KnownEndings {
    fn from_archives(archives: &SeasonArchives) -> Self {
        let mut games = BTreeMap::new();
        for game in archives.values().flat_map(SeasonArchive::games) {
            let ending: &mut Option<Ending> = games.entry(game.facts.key.clone()).or_default();
            // Files of one market may have settled it there only.
            *ending = ending.take().or_else(|| game.facts.ending.clone());
        }
        Self { sport: archives.values().next().map(|archive| archive.market().sport), games }
    }

    /// Games of the same teams on the same date, clubs under any of their names.
    fn of_same_day(&self, key: &GameKey) -> Vec<&GameKey> {
        self.of_day(key)
            .filter(|known| self.is_same(&known.away, &key.away) && self.is_same(&known.home, &key.home))
            .collect()
    }

    /// Such a game in which the visiting team is the home team.
    fn swapped(&self, key: &GameKey) -> Option<&GameKey> {
        self.of_day(key).find(|known| self.is_same(&known.away, &key.home) && self.is_same(&known.home, &key.away))
    }

    fn of_day(&self, key: &GameKey) -> impl Iterator<Item = &GameKey> {
        self.games.keys().filter(|known| known.date == key.date)
    }

    fn is_same(&self, known: &TeamSlug, given: &TeamSlug) -> bool {
        self.sport.is_some_and(|sport| Club::is_same(sport, known, given))
    }
}

#[derive(Default)]
struct Settling {
    known: KnownEndings,
    permissions: Permissions,
    now: DateTime<Utc>,
    endings: HashMap<GameKey, Ending>,
    seen: BTreeSet<GameKey>,
    report: SettleReport,
    problems: Vec<Problem>,
}

impl Settling {
    fn row(&mut self, row: &Located<FinalRow>) -> Result<(), Problem> {
        let FinalRow { key: incoming, ending, .. } = &row.value;
        let Some(key) = self.game(row)? else {
            self.pass_over(&row.place, incoming);
            return Ok(());
        };
        if !self.seen.insert(key.clone()) {
            return Err(Problem::at(row.place.clone(), format!("each game once; another row is of {key} too")));
        }
        if matches!(ending, Ending::Final { .. }) && !key.may_have_started(self.now) {
            let expected = format!("a game that has started; {key} has not");
            return Err(wrong_ending(row, expected));
        }
        self.end(row, key)
    }

    fn pass_over(&mut self, place: &Place, key: &GameKey) {
        let same_day = self.known.of_same_day(key).into_iter().map(|game| format!("{game} is"));
        let swapped = self.known.swapped(key).map(is_swapped);
        if let Some(likely) = same_day.chain(swapped).next() {
            self.report.warnings.push(format!("{place}: {key} is not on record; {likely}"));
        }
        self.report.unknown.push(key.clone());
    }

    fn end(&mut self, row: &Located<FinalRow>, key: GameKey) -> Result<(), Problem> {
        let ending = &row.value.ending;
        match self.known.games.get(&key).cloned().flatten() {
            Some(existing) if existing == *ending => self.report.unchanged += 1,
            // A game that was postponed or suspended may be played after all.
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
        self.endings.insert(key, ending.clone());
        Ok(())
    }

    /// The game a row is of; `None` for one not on record where that is allowed.
    fn game(&self, row: &Located<FinalRow>) -> Result<Option<GameKey>, Problem> {
        let key = &row.value.key;
        if self.known.games.contains_key(key) {
            return Ok(Some(key.clone()));
        }
        let same_day = self.known.of_same_day(key);
        let same_start = |known: &&&GameKey| (known.time, known.game_number) == (key.time, key.game_number);
        if let Some(renamed) = same_day.iter().find(same_start) {
            return Ok(Some((*renamed).clone()));
        }
        match same_day.as_slice() {
            [only] if key.time.is_none() && key.game_number.is_none() => Ok(Some((*only).clone())),
            [] | [_] if self.permissions.allow_unknown => Ok(None),
            [] => Err(self.unknown(row)),
            games => {
                let on_record: Vec<_> = games.iter().map(ToString::to_string).collect();
                let expected = format!("a game on record; there is {}", on_record.join(" and "));
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

fn is_swapped(known: &GameKey) -> String {
    format!("{known} is, with home and away the other way round")
}

/// Whether an ending confirms a provisional final as it is.
fn confirms(incoming: &Ending, existing: &Ending) -> bool {
    match (incoming, existing) {
        (Ending::Final { score, .. }, Ending::Final { score: provisional, status }) => {
            score == provisional && status != Ending::SETTLED
        }
        _ => false,
    }
}

/// A row whose game is wrong.
fn wrong_game(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("game", row.value.key.to_string())
}

/// A row whose ending is wrong.
fn wrong_ending(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("away_score, home_score", row.value.ending.to_string())
}
