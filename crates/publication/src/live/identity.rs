//! One id, one game: what a release says of it in its files, and the record besides.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::{DateTime, Utc};
use sports_domain::GameKey;

use super::moves::Known;
use crate::{Place, Problem, Release};

/// Every row whose `match_id` is that of another game: in another file of the release, or on record
/// with other teams and not played yet.
pub(super) fn mistaken(release: &Release, games: &BTreeMap<GameKey, Known>, now: DateTime<Utc>) -> Vec<Problem> {
    let coming = games.iter().filter(|(key, known)| known.recorded && !known.over && !key.has_started(now));
    let coming: Vec<_> = coming.filter_map(|(key, known)| Some((key, known.match_id.as_deref()?))).collect();
    let mut ids: BTreeMap<&str, (&Place, &GameKey)> = BTreeMap::new();
    let mut names: BTreeMap<&GameKey, (&Place, &str)> = BTreeMap::new();
    let mut problems = Vec::new();
    for (place, key, id) in told(release) {
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

/// Every row of the slate that names its game by an id.
fn told(release: &Release) -> impl Iterator<Item = (&Place, &GameKey, &str)> {
    let odds = release.odds.iter().flatten().map(|row| (&row.place, &row.value.key, row.value.match_id.as_deref()));
    let predicted = release.predictions.values().flat_map(|file| &file.rows);
    let predicted = predicted.map(|row| (&row.place, &row.value.game.key, row.value.game.match_id.as_deref()));
    odds.chain(predicted).filter_map(|(place, key, id)| Some((place, key, id?)))
}
