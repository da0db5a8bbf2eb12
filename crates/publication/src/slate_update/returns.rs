//! Games that a stated reschedule brings back to a start they had before, once either start has passed.
//!
//! Such a reschedule corrects a mistake. It must not become a way to forecast a game after its start, nor to choose between two
//! forecasts when the result is known. So a start that has passed once freezes the forecast for good; a game that goes
//! back to an earlier passed start gets what the record had then; and a game that has started under both stays where it
//! is if that were another forecast.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::{GameKey, ModelType, Season};

use super::LeagueRecord;
use super::publish::Publishing;
use crate::{ArchivedGame, ForecastRecord, PredictedGame, Problem, Reschedule};

/// What the record had of a game at the start it goes back to.
#[derive(Debug, Clone, PartialEq)]
pub enum Return {
    /// That start lies ahead: the game keeps the forecast and the prices it has, and takes no others.
    Ahead,
    /// That start has passed.
    Passed(AtStart),
}

/// A game as the record had it when it started, market by market.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtStart {
    /// Its rows.
    pub rows: BTreeMap<ModelType, ArchivedGame>,
    /// What was served of it.
    pub predictions: BTreeMap<ModelType, PredictedGame>,
}

/// The stated reschedules of a release that lead back, each with what the record had there. One that is missing here
/// leads to a start that the game never had.
pub type Returns = BTreeMap<Reschedule, Return>;

/// Stated reschedules of games whose forecast counts already, as a start of theirs has passed, to one at which the record had
/// other forecasts or prices: which of the two counts is not to be chosen afterwards.
pub(super) fn choices(publishing: &Publishing<'_>, record: &LeagueRecord, season: Option<Season>) -> Vec<Problem> {
    let differs = |made: &Reschedule, then: &AtStart| {
        let archives = record.archives.iter().filter(|((_, of), _)| Some(*of) == season);
        archives.into_iter().filter_map(|((of, _), archive)| Some((of, archive.get(&made.from)?))).any(|(of, row)| {
            let then = then.rows.get(of);
            let was = then.map(|then| (&then.forecast, &then.facts.lines));
            row.forecast.is_live() && was != Some((&row.forecast, &row.facts.lines))
        })
    };
    let is_final = |key: &GameKey| {
        let mut catalogs = publishing.catalog.into_iter();
        key.has_started(publishing.now) || catalogs.any(|catalog| catalog.frozen_games.contains(key))
    };
    let stated = publishing.release.moved.iter().filter(|row| is_final(&row.value.from));
    let chosen = stated.filter(|row| match publishing.returns.get(&row.value) {
        Some(Return::Passed(then)) => differs(&row.value, then),
        Some(Return::Ahead) | None => false,
    });
    chosen
        .map(|row| {
            let Reschedule { from, to } = &row.value;
            let expected = "a game that was not forecast anew between these two starts: both have passed, and which \
                            forecast counts is not chosen afterwards. Settle it under the start it has";
            Problem::at(row.place.clone(), expected).in_cell("moved", format!("{from} to {to}"))
        })
        .collect()
}

/// Games still to come whose forecast counts already, as a start they had has passed: those of earlier releases, under
/// the starts they have now, and those that this release brings back.
pub(super) fn frozen(publishing: &Publishing<'_>, moved: &[Reschedule]) -> BTreeSet<GameKey> {
    let known = publishing.catalog.into_iter().flat_map(|catalog| &catalog.frozen_games);
    let known = known.map(|key| Reschedule::target(moved, key).unwrap_or(key));
    let started = moved.iter().filter(|made| made.from.has_started(publishing.now));
    let returned = started.filter(|made| publishing.returns.contains_key(made)).map(|made| &made.to);
    known.chain(returned).filter(|key| !key.has_started(publishing.now)).cloned().collect()
}

/// Puts games that went back to a passed start as they were then; finals that came since stay.
/// Gives the reschedules of those whose forecast or prices became other ones.
pub(super) fn restore(
    record: &mut LeagueRecord,
    season: Option<Season>,
    moved: &[Reschedule],
    returns: &Returns,
) -> Vec<Reschedule> {
    let mut restored = Vec::new();
    for made in moved {
        let Some(Return::Passed(then)) = returns.get(made) else { continue };
        let mut changed = false;
        for ((model_type, of), archive) in &mut record.archives {
            if Some(*of) == season {
                archive.change(&made.to, |row| changed |= as_at_start(row, then.rows.get(model_type)));
            }
        }
        for (model_type, predictions) in &mut record.predictions {
            if predictions.get(&made.to).is_some() {
                *predictions = predictions.with_game(&made.to, then.predictions.get(model_type));
            }
        }
        restored.extend(changed.then(|| made.clone()));
    }
    restored
}

/// Whether the row changed.
fn as_at_start(row: &mut ArchivedGame, then: Option<&ArchivedGame>) -> bool {
    let before = (row.forecast.clone(), row.facts.lines);
    match then {
        Some(then) => {
            row.facts.lines = then.facts.lines;
            row.facts.quote_source.clone_from(&then.facts.quote_source);
            row.forecast = then.forecast.clone();
        }
        None if row.forecast.is_live() => row.forecast = ForecastRecord::default(),
        None => {}
    }
    before != (row.forecast.clone(), row.facts.lines)
}
