//! The format of `game_id`, and identities for games that were stored without an identity.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::RandomState;
use sports_domain::{GameKey, Season, Sport};
use sports_slate::is_another;

use crate::{ArchivedGame, LeagueRecord, SeasonArchive};

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
    pub(super) fn reserve(&mut self, ids: usize) {
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
    pub(super) fn claim(&mut self, id: &str, sport: Sport, season: Season, key: &GameKey) -> bool {
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

/// Assigns an identity to every game of a record that has no identity, from the present starts in the archives.
///
/// The result depends on the archives alone: the same game has the same identity in every market, on every node and at
/// every program start. Games of odds and predictions take the identity of the archived game with their key or
/// `match_id`.
pub fn identify(sport: Sport, record: &mut LeagueRecord) {
    if !lacks_ids(record) {
        return;
    }
    let mut taken = TakenIds::default();
    let mut known: BTreeMap<(Season, GameKey), Option<String>> = BTreeMap::new();
    for ((_, season), archive) in &record.archives {
        for facts in archive.games().iter().map(|game| &game.facts) {
            let id = known.entry((*season, facts.key.clone())).or_default();
            if id.is_none() {
                id.clone_from(&facts.game_id);
            }
        }
    }
    known.values().flatten().for_each(|id| taken.take(id));
    note_slate_ids(record, &mut taken);
    for ((_, key), id) in &mut known {
        id.get_or_insert_with(|| taken.next(sport, key));
    }
    for ((_, season), archive) in &mut record.archives {
        archive.identify(|key| known.get(&(*season, key.clone())).cloned().flatten());
    }
    identify_slate(sport, record, &mut taken);
}

fn lacks_ids(record: &LeagueRecord) -> bool {
    let archived = record.archives.values().flat_map(SeasonArchive::games).any(|game| game.facts.game_id.is_none());
    let predicted = record.predictions.values().flat_map(super::super::slate::Predictions::games);
    archived
        || predicted.into_iter().any(|game| game.game.game_id.is_none())
        || record.odds.iter().flat_map(super::super::slate::Odds::games).any(|game| game.game_id.is_none())
        || record.openers.iter().any(|(_, opener)| opener.game_id.is_none())
}

fn note_slate_ids(record: &LeagueRecord, taken: &mut TakenIds) {
    let predicted = record.predictions.values().flat_map(super::super::slate::Predictions::games);
    predicted.filter_map(|game| game.game.game_id.as_deref()).for_each(|id| taken.take(id));
    let quoted = record.odds.iter().flat_map(super::super::slate::Odds::games);
    quoted.filter_map(|game| game.game_id.as_deref()).for_each(|id| taken.take(id));
    record.openers.iter().filter_map(|(_, opener)| opener.game_id.as_deref()).for_each(|id| taken.take(id));
}

/// Assigns identities to games of the slate: by the archived game of the same season, key and, if both have a
/// `match_id`, `match_id`.
fn identify_slate(sport: Sport, record: &mut LeagueRecord, taken: &mut TakenIds) {
    let seasons: Vec<Season> = record.predictions.values().map(super::super::slate::Predictions::season).collect();
    let live = seasons.iter().max().copied();
    let mut archived: Vec<(String, GameKey, Option<String>, Option<Season>)> = Vec::new();
    for ((_, season), archive) in &record.archives {
        for ArchivedGame { facts, .. } in archive.games() {
            let id = facts.game_id.clone().unwrap_or_default();
            archived.push((id, facts.key.clone(), facts.match_id.clone(), Some(*season)));
        }
    }
    let mut games = SlateIds { sport, taken, by_key: HashMap::default(), by_match_id: HashMap::default() };
    // Archives of the live season come first; of equal keys the first counts.
    archived.sort_by_key(|(.., season)| *season != live);
    for (id, key, match_id, _) in archived {
        games.note(&id, &key, match_id.as_deref());
    }
    for predictions in record.predictions.values_mut() {
        predictions.change_all(|game| {
            game.game_id = Some(games.id_of(&game.key, game.match_id.as_deref(), game.game_id.as_deref()));
        });
    }
    if let Some(odds) = &mut record.odds {
        odds.change_all(|game| {
            game.game_id = Some(games.id_of(&game.key, game.match_id.as_deref(), game.game_id.as_deref()));
        });
    }
    record.openers.change_all(|key, opener| {
        opener.game_id = Some(games.id_of(key, opener.match_id.as_deref(), opener.game_id.as_deref()));
    });
}

/// The candidate games for the rows of a slate.
struct SlateIds<'t> {
    sport: Sport,
    taken: &'t mut TakenIds,
    by_key: HashMap<GameKey, Vec<(String, Option<String>)>, RandomState>,
    by_match_id: HashMap<String, Vec<(String, GameKey)>, RandomState>,
}

impl SlateIds<'_> {
    fn note(&mut self, id: &str, key: &GameKey, match_id: Option<&str>) {
        let of_key = self.by_key.entry(key.clone()).or_default();
        if !of_key.iter().any(|(known, _)| known == id) {
            of_key.push((id.to_owned(), match_id.map(str::to_owned)));
        }
        if let Some(match_id) = match_id {
            let of_id = self.by_match_id.entry(match_id.to_owned()).or_default();
            if !of_id.iter().any(|(known, _)| known == id) {
                of_id.push((id.to_owned(), key.clone()));
            }
        }
    }

    fn id_of(&mut self, key: &GameKey, match_id: Option<&str>, game_id: Option<&str>) -> String {
        if let Some(id) = game_id {
            return id.to_owned();
        }
        let of_key = self.by_key.get(key).into_iter().flatten();
        let same_key = of_key.clone().find(|(_, known)| !is_another(known.as_deref(), match_id));
        let of_id = match_id.and_then(|id| self.by_match_id.get(id)).into_iter().flatten();
        let same_id = || of_id.clone().find(|(_, known)| known.same_teams(key)).map(|(id, _)| id.clone());
        let found = same_key.map(|(id, _)| id.clone()).or_else(same_id);
        let id = found.unwrap_or_else(|| self.taken.next(self.sport, key));
        self.note(&id, key, match_id);
        id
    }
}
