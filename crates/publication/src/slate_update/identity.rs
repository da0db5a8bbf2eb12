//! One id, one game: what a release says of it in its files, and the record besides.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, Season};

use super::known::{KnownGame, known_games};
use super::publish::Publishing;
use crate::{Place, Problem, Release};

/// Every row whose `match_id` is that of another game: in another file of the release, or on record with other
/// teams and not played yet, or on another date and played or under way.
pub(super) fn mistaken(
    publishing: &Publishing<'_>,
    games: &BTreeMap<GameKey, KnownGame>,
    season: Option<Season>,
) -> Vec<Problem> {
    let Publishing { release, now, .. } = *publishing;
    let before = known_games(publishing.before, season);
    let coming = games.iter().filter(|(key, known)| known.recorded && !known.is_over() && !key.has_started(now));
    let coming: Vec<_> = coming.filter_map(|(key, known)| Some((key, known.match_id.as_deref()?))).collect();
    let mut ids: BTreeMap<&str, (&Place, &GameKey)> = BTreeMap::new();
    let mut names: BTreeMap<&GameKey, (&Place, &str)> = BTreeMap::new();
    let mut problems = Vec::new();
    let with_ids = release.slate_rows().filter_map(|(place, key, id)| Some((place, key, id?)));
    for (place, key, id) in with_ids {
        let problem = |expected: String| Problem::at(place.clone(), expected).in_cell("match_id", id);
        match ids.entry(id) {
            Entry::Vacant(free) => {
                free.insert((place, key));
                let other = coming.iter().find(|(known, of)| *of == id && !known.same_teams(key));
                problems.extend(other.map(|(known, _)| {
                    problem(format!(
                        "an id no other game has; on record it is {known}. Settle that one as `cancelled` if it is a \
                         mistake"
                    ))
                }));
                let taken = TakenIds { release, games, before: &before, now };
                problems.extend(taken.by(key, id).map(|(other, how)| {
                    problem(format!("an id of its own for {key}: on record it is that of {other}, which {how}"))
                }));
            }
            Entry::Occupied(taken) if taken.get().1 != key => {
                let (other, of) = taken.get();
                problems.push(problem(format!("one game for each match_id; {other} has it for {of}")));
            }
            Entry::Occupied(_) => {}
        }
        match names.entry(key) {
            Entry::Vacant(free) => _ = free.insert((place, id)),
            Entry::Occupied(taken) if taken.get().1 != id => {
                let (other, of) = taken.get();
                problems.push(problem(format!("one match_id for each game; {other} calls {key} `{of}`")));
            }
            Entry::Occupied(_) => {}
        }
    }
    problems
}

/// Ids that a game has and keeps.
struct TakenIds<'r> {
    release: &'r Release,
    games: &'r BTreeMap<GameKey, KnownGame>,
    /// The same before the release: what its own history says is no reason to believe it.
    before: &'r BTreeMap<GameKey, KnownGame>,
    now: DateTime<Utc>,
}

impl TakenIds<'_> {
    /// The game of another date that has an id and keeps it: one with a final, or one of an earlier date that has started.
    /// Where the record has the id here already, or the release reschedules that game to here, nothing is taken.
    fn by(&self, key: &GameKey, id: &str) -> Option<(&GameKey, &'static str)> {
        let has_id = |known: &KnownGame| known.recorded && known.match_id.as_deref() == Some(id);
        if self.before.get(key).is_some_and(has_id) {
            return None;
        }
        let is_moved = |from: &GameKey| {
            let mut moved = self.release.moved.iter().map(|row| &row.value);
            moved.any(|made| made.from == *from && made.to == *key)
        };
        let mut others = self.games.iter().filter(|(other, known)| has_id(known) && !is_moved(other));
        others.find_map(|(other, known)| match other.date.cmp(&key.date) {
            Ordering::Equal => None,
            _ if known.played => Some((other, "has a final")),
            Ordering::Less if !known.called_off && other.has_started(self.now) => {
                Some((other, "has started. If that one was postponed, settle it as `postponed`: its id is free then"))
            }
            Ordering::Less | Ordering::Greater => None,
        })
    }
}
