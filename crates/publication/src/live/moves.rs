//! Games whose start was changed before play.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, Season};

use super::{Record, has_started};
use crate::{ArchivedGame, Located, Move, Odds, Predictions, Problem, Release, SeasonArchive};

/// What the record knows of a game before a release.
#[derive(Debug, Default, Clone)]
pub(super) struct Known {
    pub(super) match_id: Option<String>,
    /// It stands in an archive or among the predictions, not only among odds.
    recorded: bool,
    /// It has a final.
    settled: bool,
}

/// A game a release tells of, by whichever of its files.
type Mentioned<'r> = (&'r Located<()>, &'r GameKey, Option<&'r str>);

/// Finds every game that a release moves, or says what is wrong with a stated move.
///
/// A stated move comes first, then the same `match_id`, then the one unstarted game of the same teams
/// and date that the release no longer tells of. Nothing is guessed once either start has passed.
pub(super) fn find(
    release: &Release,
    games: &BTreeMap<GameKey, Known>,
    now: DateTime<Utc>,
) -> Result<Vec<Move>, Vec<Problem>> {
    let refresh = release.predictions.is_empty();
    let mut finding = Finding { games, refresh, now, moves: Vec::new(), problems: Vec::new() };
    for stated in &release.moved {
        finding.stated(stated);
    }
    let places: Vec<_> = mentioned(release);
    let told: Vec<Mentioned<'_>> = places.iter().map(|(place, key, id)| (place, *key, *id)).collect();
    for (_, key, match_id) in &told {
        finding.by_match_id(key, *match_id);
    }
    let held = release.held_games.values().flatten().map(|held| &held.value);
    let named: BTreeSet<&GameKey> = told.iter().map(|(_, key, _)| *key).chain(held).collect();
    finding.by_teams(&told, &named);
    if finding.problems.is_empty() { Ok(finding.moves) } else { Err(finding.problems) }
}

/// The games of the predictions or, in an odds refresh, of the odds: each once.
fn mentioned(release: &Release) -> Vec<(Located<()>, &GameKey, Option<&str>)> {
    let mut games = BTreeMap::new();
    for row in release.predictions.values().flat_map(|file| &file.rows) {
        let entry = games.entry(&row.value.game.key).or_insert((row.place.clone(), None));
        entry.1 = entry.1.or(row.value.game.match_id.as_deref());
    }
    if release.predictions.is_empty() {
        for row in release.odds.iter().flatten() {
            games.entry(&row.value.key).or_insert((row.place.clone(), row.value.match_id.as_deref()));
        }
    }
    games.into_iter().map(|(key, (place, id))| (Located { place, value: () }, key, id)).collect()
}

struct Finding<'r> {
    games: &'r BTreeMap<GameKey, Known>,
    /// Only odds are told: a feed of its own habits, whose known times say nothing new.
    refresh: bool,
    now: DateTime<Utc>,
    moves: Vec<Move>,
    problems: Vec<Problem>,
}

impl Finding<'_> {
    fn stated(&mut self, stated: &Located<Move>) {
        let Move { from, to } = &stated.value;
        let problem = match (self.games.get(from), self.games.get(to).filter(|known| known.recorded)) {
            // Published before: there is nothing left to do.
            (None, Some(_)) => None,
            (None, None) => Some("a game on record in `from`"),
            (Some(_), Some(_)) => Some("a new start in `to`; a game of that start is on record beside this one"),
            (Some(from), None) if from.settled => Some("a game without a final"),
            (Some(_), None) if has_started(from, self.now) || has_started(to, self.now) => {
                Some("a game that has not started, at either time; settle one that was put off after its start")
            }
            (Some(_), None) => {
                self.moves.push(stated.value.clone());
                None
            }
        };
        self.problems.extend(
            problem.map(|expected| {
                Problem::at(stated.place.clone(), expected).in_cell("moved", format!("{from} to {to}"))
            }),
        );
    }

    fn by_match_id(&mut self, key: &GameKey, match_id: Option<&str>) {
        let Some(id) = match_id.filter(|_| self.is_new(key)) else { return };
        let same = |(known, of): &(&GameKey, &Known)| of.match_id.as_deref() == Some(id) && self.can_move(known, key);
        let mut twins: Vec<_> = self.games.iter().filter(same).collect();
        twins.sort_by_key(|(_, known)| !known.recorded);
        if let Some((from, _)) = twins.first() {
            self.moves.push(Move { from: (*from).clone(), to: key.clone() });
        }
    }

    fn by_teams(&mut self, told: &[Mentioned<'_>], named: &BTreeSet<&GameKey>) {
        let new: Vec<_> = told.iter().filter(|(_, key, _)| self.is_new(key)).collect();
        for (place, key, match_id) in &new {
            let other_id = |known: &Known| matches!((match_id, &known.match_id), (Some(a), Some(b)) if a != b);
            let left: Vec<_> = self
                .games
                .iter()
                .filter(|(from, known)| {
                    known.recorded
                        && from.date == key.date
                        && self.can_move(from, key)
                        && !other_id(known)
                        && !named.contains(from)
                })
                .map(|(from, _)| from.clone())
                .collect();
            let rivals = new.iter().filter(|(_, rival, _)| is_of_same_teams(rival, key) && rival.date == key.date);
            match (left.as_slice(), rivals.count()) {
                ([], _) => {}
                ([from], 1) => self.moves.push(Move { from: from.clone(), to: (*key).clone() }),
                (candidates, _) => self.problems.push(ambiguous(place, key, candidates)),
            }
        }
    }

    /// A game the record does not know under this start, and no move has brought there yet.
    fn is_new(&self, key: &GameKey) -> bool {
        let known = self.games.get(key).is_some_and(|known| known.recorded || self.refresh);
        !known && !self.moves.iter().any(|known| known.to == *key)
    }

    fn can_move(&self, from: &GameKey, to: &GameKey) -> bool {
        let free = !self.moves.iter().any(|known| known.from == *from);
        free && from != to
            && is_of_same_teams(from, to)
            && !self.games[from].settled
            && !has_started(from, self.now)
            && !has_started(to, self.now)
    }
}

fn ambiguous(place: &Located<()>, key: &GameKey, candidates: &[GameKey]) -> Problem {
    let known: Vec<_> = candidates.iter().map(ToString::to_string).collect();
    let expected = format!(
        "`moved` in release.json to say which game starts at another time now, or every game of these teams in this \
         file; on record and not told here: {}",
        known.join("; ")
    );
    let time = key.time.map(|time| time.to_string());
    Problem::at(place.place.clone(), expected).in_cell("time_est", time.unwrap_or_default())
}

pub(super) fn is_of_same_teams(one: &GameKey, other: &GameKey) -> bool {
    one.away == other.away && one.home == other.home
}

/// Every game the record knows for the live season, whatever tells of it.
pub(super) fn known_games(record: &Record, season: Option<Season>) -> BTreeMap<GameKey, Known> {
    let mut games: BTreeMap<GameKey, Known> = BTreeMap::new();
    let mut note = |key: &GameKey, match_id: Option<&String>, recorded: bool, settled: bool| {
        let known = games.entry(key.clone()).or_default();
        known.recorded |= recorded;
        known.settled |= settled;
        if known.match_id.is_none() {
            known.match_id = match_id.cloned();
        }
    };
    for ((_, of), archive) in &record.archives {
        for game in archive.games().iter().filter(|_| Some(*of) == season) {
            note(&game.facts.key, game.facts.match_id.as_ref(), true, game.facts.score.is_some());
        }
    }
    for game in record.predictions.values().flat_map(Predictions::games) {
        note(&game.game.key, game.game.match_id.as_ref(), true, false);
    }
    for game in record.odds.iter().flat_map(Odds::games) {
        note(&game.key, game.match_id.as_ref(), false, false);
    }
    for (key, opener) in record.openers.iter() {
        note(key, opener.match_id.as_ref(), false, false);
    }
    games
}

/// The record with its games where they are announced now.
pub(super) fn follow(mut record: Record, season: Option<Season>, moves: &[Move]) -> Record {
    if moves.is_empty() {
        return record;
    }
    let target = |key: &GameKey| moves.iter().find(|known| known.from == *key).map(|known| known.to.clone());
    for ((_, of), archive) in &mut record.archives {
        if Some(*of) == season {
            *archive = moved_archive(archive, target);
        }
    }
    for predictions in record.predictions.values_mut() {
        *predictions = predictions.renamed(target);
    }
    record.odds = record.odds.map(|odds| odds.renamed(target));
    for known in moves {
        record.openers.rename(&known.from, &known.to);
    }
    record
}

fn moved_archive(archive: &SeasonArchive, target: impl Fn(&GameKey) -> Option<GameKey>) -> SeasonArchive {
    let games: Vec<ArchivedGame> = archive.games().to_vec();
    let moved = games.into_iter().map(|mut game| {
        if let Some(to) = target(&game.facts.key) {
            game.facts.key = to;
        }
        game
    });
    // A move never leads to a game that is on record already.
    SeasonArchive::new(archive.market(), archive.season(), moved.collect()).unwrap_or_else(|_| archive.clone())
}
