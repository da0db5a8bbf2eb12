//! Games whose start was changed before play.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::GameKey;
use sports_slate::is_another;

use super::known::{KnownGame, has_passed};
use super::publish::Publishing;
use super::returns::{Return, Returns};
use crate::{Located, Place, Problem, Release, Reschedule};

/// How far a game is rescheduled by its id alone; farther only by a stated reschedule.
const FARTHEST: TimeDelta = TimeDelta::days(14);

/// A game of a release, by whichever of its files.
type Mentioned<'r> = (&'r Place, &'r GameKey, Option<&'r str>);

/// Finds every game that a release reschedules, or says why one cannot be rescheduled.
///
/// A stated reschedule comes first, then the same `match_id`, then the one unstarted game of the same teams
/// and date that the release no longer lists. Games may change places with each other. Nothing is
/// guessed once either start has passed: a stated reschedule can bring a game back to a start it had before then.
pub(super) fn find(
    publishing: &Publishing<'_>,
    games: &BTreeMap<GameKey, KnownGame>,
) -> Result<Vec<Reschedule>, Vec<Problem>> {
    let Publishing { release, returns, now, .. } = *publishing;
    let incoming = mentioned(release);
    let refresh = release.predictions.is_empty();
    let mut finding =
        Finding { games, incoming: &incoming, returns, refresh, now, reschedules: Vec::new(), problems: Vec::new() };
    finding.stated(&release.moved);
    for (place, key, match_id) in &incoming {
        finding.by_match_id(place, key, *match_id);
    }
    let held = release.held_games.values().flatten().map(|held| &held.value);
    let named: BTreeSet<&GameKey> = incoming.iter().map(|(_, key, _)| *key).chain(held).collect();
    finding.by_teams(&named);
    finding.problems.extend(finding.collisions());
    let made = finding.reschedules.into_iter().map(|(_, made)| made).collect();
    if finding.problems.is_empty() { Ok(made) } else { Err(finding.problems) }
}

/// The games of the predictions or, in an odds refresh, of the odds: each once.
fn mentioned(release: &Release) -> Vec<Mentioned<'_>> {
    let mut games = BTreeMap::new();
    for row in release.predictions.values().flat_map(|file| &file.rows) {
        let entry = games.entry(&row.value.game.key).or_insert((&row.place, None));
        entry.1 = entry.1.or(row.value.game.match_id.as_deref());
    }
    if release.predictions.is_empty() {
        for row in release.odds.iter().flatten() {
            games.entry(&row.value.key).or_insert((&row.place, row.value.match_id.as_deref()));
        }
    }
    games.into_iter().map(|(key, (place, id))| (place, key, id)).collect()
}

struct Finding<'r> {
    games: &'r BTreeMap<GameKey, KnownGame>,
    incoming: &'r [Mentioned<'r>],
    /// What the record had at the starts that stated reschedules lead back to.
    returns: &'r Returns,
    /// The release has odds alone. A time in an odds feed that is known already is no news of a reschedule.
    refresh: bool,
    now: DateTime<Utc>,
    /// Each with the place that states or implies it.
    reschedules: Vec<(&'r Place, Reschedule)>,
    problems: Vec<Problem>,
}

impl<'r> Finding<'r> {
    fn stated(&mut self, stated: &'r [Located<Reschedule>]) {
        let made = self.made_before(stated);
        for row in stated.iter().filter(|row| !made.contains(&row.value)) {
            let Reschedule { from, to } = &row.value;
            let problem = match self.games.get(from) {
                None => Some("a game on record in `from`"),
                Some(known) if known.recorded && has_passed(known, &row.value, self.now) => {
                    self.cannot_return(known, &row.value)
                }
                Some(_) if circles(stated, from) && self.incoming_id(to).is_none() => Some(
                    "the `match_id` of both games in the files where they change places: without it the same folder, \
                     published again, would change them back",
                ),
                Some(_) => None,
            };
            match problem {
                Some(expected) => self.problems.push(stated_wrongly(row, expected)),
                None => self.reschedules.push((&row.place, row.value.clone())),
            }
        }
    }

    /// Why a game cannot be rescheduled as stated, once either start has passed.
    fn cannot_return(&self, known: &KnownGame, made: &Reschedule) -> Option<&'static str> {
        match self.returns.get(made) {
            _ if known.is_over() && !made.to.has_started(self.now) => Some("a game that is not over"),
            None => Some(
                "a start that this game had on record before: once either start has passed, a game can only go back \
                 to a start it had. Settle a game that was postponed after its start; on its new date it is another \
                 game",
            ),
            Some(Return::Ahead | Return::Passed(_)) => None,
        }
    }

    /// The stated reschedules that an earlier release made: no game is left at their former start, or only one that
    /// was rescheduled to it likewise; and where games change places, each is at the start that its id has now.
    fn made_before<'s>(&self, stated: &'s [Located<Reschedule>]) -> BTreeSet<&'s Reschedule> {
        let arrived = |known: &Reschedule| self.games.contains_key(&known.to);
        let in_place = |known: &Reschedule| {
            let id = self.games.get(&known.to).and_then(|game| game.match_id.as_deref());
            id.is_some() && id == self.incoming_id(&known.to)
        };
        let mut made = BTreeSet::new();
        loop {
            let follows = |from: &GameKey| made.iter().any(|known: &&Reschedule| known.to == *from);
            let next: Vec<_> = stated
                .iter()
                .map(|row| &row.value)
                .filter(|known| !made.contains(known))
                .filter(|known| arrived(known))
                .filter(|known| {
                    !self.games.contains_key(&known.from)
                        || follows(&known.from)
                        || (circles(stated, &known.from) && in_place(known))
                })
                .collect();
            if next.is_empty() {
                return made;
            }
            made.extend(next);
        }
    }

    fn incoming_id(&self, key: &GameKey) -> Option<&str> {
        self.incoming.iter().find(|(_, incoming, _)| *incoming == key).and_then(|(_, _, id)| *id)
    }

    fn by_match_id(&mut self, place: &'r Place, key: &GameKey, match_id: Option<&str>) {
        let Some(id) = match_id.filter(|id| !self.is_known_as(key, id) && !self.is_moved_to(key)) else { return };
        let same =
            |(known, of): &(&GameKey, &KnownGame)| of.match_id.as_deref() == Some(id) && self.can_move(known, key);
        let mut twins: Vec<_> = self.games.iter().filter(same).collect();
        twins.sort_by_key(|(_, known)| !known.recorded);
        let Some((from, known)) = twins.first() else { return };
        // A game known from odds alone is rescheduled neither onto a game of the record nor away from one that began.
        if !known.recorded && (self.is_recorded(key) || self.has_begun(key, id)) {
            return;
        }
        if (key.date - from.date).abs() > FARTHEST {
            self.problems.push(too_far(place, from, key));
        } else {
            self.reschedules.push((place, Reschedule { from: (*from).clone(), to: key.clone() }));
        }
    }

    /// Whether this start and this id were published together before.
    fn is_known_as(&self, key: &GameKey, id: &str) -> bool {
        let before = self.games.get(key).filter(|known| known.recorded || self.refresh);
        before.is_some_and(|known| known.match_id.as_deref() == Some(id))
    }

    fn by_teams(&mut self, named: &BTreeSet<&GameKey>) {
        let new: Vec<_> = self.incoming.iter().filter(|(_, key, _)| self.is_new(key)).collect();
        for (place, key, match_id) in &new {
            let other_id = |known: &KnownGame| is_another(known.match_id.as_deref(), *match_id);
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
            let rivals = new.iter().filter(|(_, rival, _)| rival.same_teams(key) && rival.date == key.date);
            match (left.as_slice(), rivals.count()) {
                ([], _) => {}
                ([from], 1) => self.reschedules.push((place, Reschedule { from: from.clone(), to: (*key).clone() })),
                (candidates, _) => self.problems.push(ambiguous(place, key, candidates)),
            }
        }
    }

    /// Reschedules onto a game of the record that keeps its start.
    fn collisions(&self) -> Vec<Problem> {
        let stays = |key: &GameKey| self.is_recorded(key) && !self.is_moved_from(key);
        let onto = self.reschedules.iter().filter(|(_, made)| stays(&made.to));
        onto.map(|(place, Reschedule { from, to })| {
            let expected = "a start that no other game has; one on record has it and is not rescheduled. Where that one was \
                            called off or began early, list this one a minute later";
            Problem::at((*place).clone(), expected).in_cell("time_est", format!("{from} to {to}"))
        })
        .collect()
    }

    /// Whether a game of these teams and this id is on record under a start that has passed.
    fn has_begun(&self, key: &GameKey, id: &str) -> bool {
        let same = |of: &KnownGame| of.recorded && !of.is_over() && of.match_id.as_deref() == Some(id);
        let mut begun = self.games.iter().filter(|(known, of)| same(of) && known.has_started(self.now));
        begun.any(|(known, _)| known.same_teams(key))
    }

    fn is_recorded(&self, key: &GameKey) -> bool {
        self.games.get(key).is_some_and(|known| known.recorded)
    }

    fn is_moved_from(&self, key: &GameKey) -> bool {
        self.reschedules.iter().any(|(_, made)| made.from == *key)
    }

    fn is_moved_to(&self, key: &GameKey) -> bool {
        self.reschedules.iter().any(|(_, made)| made.to == *key)
    }

    /// A game the record does not know under this start, and that no reschedule has brought there yet.
    fn is_new(&self, key: &GameKey) -> bool {
        let known = self.games.get(key).is_some_and(|known| known.recorded || self.refresh);
        !known && !self.is_moved_to(key)
    }

    fn can_move(&self, from: &GameKey, to: &GameKey) -> bool {
        !self.is_moved_from(from)
            && from != to
            && from.same_teams(to)
            && !self.games[from].is_over()
            && !from.has_started(self.now)
            && !to.has_started(self.now)
    }
}

/// Whether the stated reschedules lead from a start back to it.
fn circles(stated: &[Located<Reschedule>], start: &GameKey) -> bool {
    let next = |from: &GameKey| stated.iter().find(|row| row.value.from == *from).map(|row| &row.value.to);
    std::iter::successors(next(start), |at| next(at)).take(stated.len()).any(|at| at == start)
}

fn too_far(place: &Place, from: &GameKey, to: &GameKey) -> Problem {
    let expected = format!(
        "a date within {} days of the one on record, {from}, as the `match_id` says that it is this game; a game that was \
         really rescheduled so far is named under `moved` in release.json",
        FARTHEST.num_days()
    );
    Problem::at(place.clone(), expected).in_cell("date", to.date.to_string())
}

fn stated_wrongly(stated: &Located<Reschedule>, expected: &str) -> Problem {
    let Reschedule { from, to } = &stated.value;
    Problem::at(stated.place.clone(), expected).in_cell("moved", format!("{from} to {to}"))
}

fn ambiguous(place: &Place, key: &GameKey, candidates: &[GameKey]) -> Problem {
    let known: Vec<_> = candidates.iter().map(ToString::to_string).collect();
    let expected = format!(
        "`moved` in release.json to say which game starts at another time now, or every game of these teams in this \
         file; on record and not listed here: {}",
        known.join("; ")
    );
    let time = key.time.map(|time| time.to_string());
    Problem::at(place.clone(), expected).in_cell("time_est", time.unwrap_or_default())
}
