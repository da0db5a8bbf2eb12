//! What the record knows of games before a release, and the record with games under new starts.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, Season};
use sports_slate::is_another;

use super::LeagueRecord;
use crate::{Odds, Place, Predictions, Problem, RepeatedKey, Reschedule};

/// What the record knows of a game before a release.
#[derive(Debug, Default, Clone)]
pub(super) struct KnownGame {
    pub(super) match_id: Option<String>,
    /// It is in an archive or among the predictions, not only among odds.
    pub(super) recorded: bool,
    /// It has a final.
    pub(super) played: bool,
    /// It was called off.
    pub(super) called_off: bool,
}

impl KnownGame {
    /// It has a final, or was called off.
    pub(super) const fn is_over(&self) -> bool {
        self.played || self.called_off
    }
}

/// Every game the record knows for the live season, whichever part of it.
pub(super) fn known_games(record: &LeagueRecord, season: Option<Season>) -> BTreeMap<GameKey, KnownGame> {
    let mut games: BTreeMap<GameKey, KnownGame> = BTreeMap::new();
    let mut note = |key: &GameKey, match_id: Option<&String>, recorded: bool| {
        let known = games.entry(key.clone()).or_default();
        known.recorded |= recorded;
        if known.match_id.is_none() {
            known.match_id = match_id.cloned();
        }
    };
    let archives = record.archives.iter().filter(|((_, of), _)| Some(*of) == season);
    let facts_on_record: Vec<_> = archives.flat_map(|(_, archive)| archive.games()).map(|game| &game.facts).collect();
    for facts in &facts_on_record {
        note(&facts.key, facts.match_id.as_ref(), true);
    }
    let predictions = record.predictions.values().filter(|predictions| Some(predictions.season()) == season);
    for game in predictions.flat_map(Predictions::games) {
        note(&game.game.key, game.game.match_id.as_ref(), true);
    }
    for game in record.odds.iter().flat_map(Odds::games) {
        note(&game.key, game.match_id.as_ref(), false);
    }
    for (key, opener) in record.openers.iter() {
        note(key, opener.match_id.as_ref(), false);
    }
    for facts in facts_on_record {
        if let Some(known) = games.get_mut(&facts.key) {
            known.played |= facts.score().is_some();
            known.called_off |= facts.is_called_off();
        }
    }
    games
}

/// The record with its games under the starts they have now. Quotes go with the game they are of, by its id
/// among the `games` known before.
///
/// # Errors
///
/// The problem of two games that come to have one start.
pub(super) fn follow(
    mut record: LeagueRecord,
    season: Option<Season>,
    games: &BTreeMap<GameKey, KnownGame>,
    reschedules: &[Reschedule],
) -> Result<LeagueRecord, Vec<Problem>> {
    if reschedules.is_empty() {
        return Ok(record);
    }
    let target = |key: &GameKey| Reschedule::target(reschedules, key).cloned();
    // Two games never come to have one start: a reschedule onto a game that stays was refused.
    for ((_, of), archive) in &mut record.archives {
        if Some(*of) == season {
            *archive = archive.renamed(target).map_err(|repeated| vec![moved_together(&repeated)])?;
        }
    }
    for predictions in record.predictions.values_mut() {
        *predictions = predictions.renamed(target).map_err(|repeated| vec![moved_together(&repeated)])?;
    }
    let of_game = |key: &GameKey, match_id: Option<&str>| {
        let known = games.get(key).and_then(|known| known.match_id.as_deref());
        target(key).filter(|_| !is_another(known, match_id))
    };
    record.odds = record.odds.map(|odds| odds.renamed(of_game));
    record.openers = record.openers.renamed(of_game);
    Ok(record)
}

fn moved_together(repeated: &RepeatedKey) -> Problem {
    Problem::at(Place { file: "release.json".into(), row: None }, repeated.to_string())
}

/// Whether a reschedule concerns a time that has passed: either start, or the game is over.
pub(super) fn has_passed(known: &KnownGame, made: &Reschedule, now: DateTime<Utc>) -> bool {
    known.is_over() || made.from.has_started(now) || made.to.has_started(now)
}
