//! The closing of games: a game closes for good when its start passes, even if its start is changed later.
//!
//! A closed game takes no forecast and no price. It keeps the recorded values of the time when its start passed, market
//! by market. An open game that gets a start in the past closes at once, with the recorded values of that start.

use std::collections::BTreeSet;

use sports_domain::{GameKey, GameLines, Season};

use super::at_start::AtStart;
use super::publishing::Publishing;
use crate::identity::Move;
use crate::{ArchivedGame, ForecastRecord, GameFacts, LeagueRecord, MovedBy, Problem, Reschedule};

/// Returns true if the game of a move had closed before the release.
fn had_closed(publishing: &Publishing<'_>, made: &Move) -> bool {
    let from = &made.made.from;
    from.has_started(publishing.now) || publishing.catalog.is_some_and(|catalog| catalog.frozen_games.contains(from))
}

/// Returns a problem for each stated move of a closed game to another start in the past, at which other forecasts or
/// prices were on record: the forecast that counts must not be chosen afterwards.
pub(super) fn choices(publishing: &Publishing<'_>) -> Vec<Problem> {
    let differs = |made: &Move, then: &AtStart| {
        // The season may change, too: the game was on record in the season that it leaves.
        let archives = publishing.before.archives.iter().filter(|((_, of), _)| *of == made.seasons.0);
        archives.filter_map(|((of, _), archive)| Some((of, archive.get(&made.made.from)?))).any(|(of, row)| {
            let then = then.rows.get(of);
            // A withdrawn forecast was live at one of the two starts.
            let is_live = row.forecast.is_live() || then.is_some_and(|then| then.forecast.is_live());
            is_live && then.map(counted) != Some(counted(row))
        })
    };
    let stated = publishing.resolution.moves().iter().filter(|made| made.is_stated && had_closed(publishing, made));
    let chosen = stated.filter(|made| publishing.returns.get(&*made.id).is_some_and(|then| differs(made, then)));
    let problem = |made: &Move| {
        let Reschedule { from, to } = &made.made;
        let expected = "a game that was not forecast anew between these two starts: both have passed, and which \
                        forecast counts is not chosen afterwards. Settle it under the start it has";
        let names = |by: &MovedBy| matches!(by, MovedBy::Start(key) if key == from);
        let row = publishing.release.moved.iter().find(|row| names(&row.value.by) || row.value.to == *to)?;
        Some(Problem::at(row.place.clone(), expected).in_cell("moved", format!("{from} to {to}")))
    };
    chosen.filter_map(problem).collect()
}

/// Returns closed games whose start lies ahead: games of earlier releases under their present starts, and games that
/// get a later start by this release.
pub(super) fn closed_ahead(publishing: &Publishing<'_>) -> BTreeSet<GameKey> {
    let moves = publishing.resolution.moves();
    let followed = |key: &GameKey| {
        let made = moves.iter().find(|made| made.made.from == *key);
        made.map_or_else(|| key.clone(), |made| made.made.to.clone())
    };
    let known = publishing.catalog.into_iter().flat_map(|catalog| &catalog.frozen_games).map(followed);
    let delayed = moves.iter().filter(|made| made.made.from.has_started(publishing.now));
    let delayed = delayed.map(|made| made.made.to.clone());
    known.chain(delayed).filter(|key| !key.has_started(publishing.now)).collect()
}

/// Restores open games that get a start in the past to their recorded values at that start; later finals stay. Returns
/// the moves of games whose forecast or prices changed.
pub(super) fn restore(
    record: &mut LeagueRecord,
    season: Option<Season>,
    publishing: &Publishing<'_>,
) -> Vec<Reschedule> {
    let mut restored = Vec::new();
    for made in publishing.resolution.moves().iter().filter(|made| !had_closed(publishing, made)) {
        let Some(then) = publishing.returns.get(&*made.id) else { continue };
        let (key, mut changed) = (&made.made.to, false);
        for ((model_type, of), archive) in &mut record.archives {
            if Some(*of) == season {
                archive.change(key, |row| changed |= as_at_start(row, then.rows.get(model_type)));
            }
        }
        for (model_type, predictions) in &mut record.predictions {
            if predictions.get(key).is_some() {
                *predictions = predictions.with_game(key, then.predictions.get(model_type));
            }
        }
        if let Some(odds) = &mut record.odds {
            odds.replace(key, then.odds.clone());
        }
        restored.extend(changed.then(|| made.made.clone()));
    }
    restored
}

/// Returns the values of a row that count for its start.
const fn counted(row: &ArchivedGame) -> (&ForecastRecord, &GameLines) {
    (&row.forecast, &row.facts.lines)
}

/// Restores a row; returns true if it changed. A backtest belongs to no start and stays.
fn as_at_start(row: &mut ArchivedGame, then: Option<&ArchivedGame>) -> bool {
    let is_backtest = !row.forecast.is_live() && row.forecast != ForecastRecord::default();
    if then.is_none() && is_backtest {
        return false;
    }
    let before = row.clone();
    let then = then.cloned().unwrap_or_else(|| ArchivedGame {
        facts: GameFacts::unforecast(row.facts.key.clone()),
        forecast: ForecastRecord::default(),
    });
    row.facts.lines = then.facts.lines;
    row.facts.quote_source = then.facts.quote_source;
    // A column that is an extra column now may be declared a model later.
    row.facts.extras = then.facts.extras;
    row.forecast = then.forecast;
    before != *row
}
