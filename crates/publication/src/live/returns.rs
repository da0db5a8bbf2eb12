//! Games that a stated move brings back to a start they had before, once either start has passed.
//!
//! Such a move mends a mistake. It must not become a way to forecast a game after its start: whatever was published
//! for it since then gives way to what the record had at that start.

use std::collections::BTreeMap;

use sports_domain::{ModelType, Season};

use super::Record;
use crate::{ArchivedGame, ForecastRecord, Move, PredictedGame};

/// What the record had of a game at the start it goes back to.
#[derive(Debug, Clone, PartialEq)]
pub enum Return {
    /// That start lies ahead: the game keeps the forecast and the prices it has.
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

/// The stated moves of a release that lead back, each with what the record had there. A move that is missing here
/// leads to a start that the game never had.
pub type Returns = BTreeMap<Move, Return>;

/// Puts games that went back to a passed start as they were then; finals that came since stay.
pub(super) fn restore(record: &mut Record, season: Option<Season>, moved: &[Move], returns: &Returns) {
    for made in moved {
        let Some(Return::Passed(then)) = returns.get(made) else { continue };
        for ((model_type, of), archive) in &mut record.archives {
            if Some(*of) == season {
                archive.change(&made.to, |row| as_at_start(row, then.rows.get(model_type)));
            }
        }
        for (model_type, predictions) in &mut record.predictions {
            if predictions.get(&made.to).is_some() {
                *predictions = predictions.with_game(&made.to, then.predictions.get(model_type));
            }
        }
    }
}

fn as_at_start(row: &mut ArchivedGame, then: Option<&ArchivedGame>) {
    match then {
        Some(then) => {
            row.facts.lines = then.facts.lines;
            row.facts.quote_source.clone_from(&then.facts.quote_source);
            row.forecast = then.forecast.clone();
        }
        None if row.forecast.is_live() => row.forecast = ForecastRecord::default(),
        None => {}
    }
}
