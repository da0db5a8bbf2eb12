//! The promotion of an extra column to a model's column, in everything that is on record.

use std::collections::BTreeMap;

use sports_domain::{GameKey, ModelName, ModelType, OwnForecasts};

use crate::registry::probability_in;
use crate::slate_update::AtStart;
use crate::{ArchivedGame, Extras, Place, PredictedGame, Predictions, Problem, SeasonArchive};

/// The numbers of games whose extra column became a model's column, by model.
pub type Promotion = BTreeMap<ModelName, usize>;

/// Makes the extra columns with the names of `models` columns of these models, in one season of a market.
///
/// # Errors
///
/// Returns a [`Problem`] for each value that is no probability.
pub fn promote_archive(archive: &mut SeasonArchive, models: &[ModelName]) -> Result<Promotion, Vec<Problem>> {
    let (season, model_type) = (archive.season(), archive.market().model_type);
    let mut moving = Moving::new(models, format!("{model_type} {season}"));
    archive.change_all(|game| moving.move_row(game));
    moving.finish()
}

/// Makes the extra columns with the names of a market's `models` columns of these models, in a game as it was on record
/// at its start.
///
/// # Errors
///
/// Returns a [`Problem`] for each value that is no probability.
pub fn promote_at_start(then: &mut AtStart, model_type: ModelType, models: &[ModelName]) -> Result<(), Vec<Problem>> {
    let mut moving = Moving::new(models, format!("{model_type} at an earlier start"));
    if let Some(row) = then.rows.get_mut(&model_type) {
        moving.move_row(row);
    }
    if let Some(predicted) = then.predictions.get_mut(&model_type) {
        moving.move_predicted(predicted);
    }
    moving.finish().map(drop)
}

/// Makes the extra columns with the names of `models` columns of these models, in the current predictions of a market.
///
/// # Errors
///
/// Returns a [`Problem`] for each value that is no probability.
pub fn promote_predictions(predictions: &mut Predictions, models: &[ModelName]) -> Result<Promotion, Vec<Problem>> {
    let model_type: ModelType = predictions.model_type();
    let mut moving = Moving::new(models, format!("the current predictions of {model_type}"));
    predictions.change_all_predicted(|predicted| moving.move_predicted(predicted));
    moving.finish()
}

struct Moving<'m> {
    models: &'m [ModelName],
    /// The place of the games, for problems.
    within: String,
    moved: Promotion,
    problems: Vec<Problem>,
}

impl<'m> Moving<'m> {
    const fn new(models: &'m [ModelName], within: String) -> Self {
        Self { models, within, moved: Promotion::new(), problems: Vec::new() }
    }

    fn move_row(&mut self, row: &mut ArchivedGame) {
        let facts = &mut row.facts;
        if self.move_values(&facts.key, &mut facts.extras, &mut row.forecast.own) {
            // A row that had extra columns alone is now a forecast.
            row.forecast = std::mem::take(&mut row.forecast).completed(None);
        }
    }

    fn move_predicted(&mut self, predicted: &mut PredictedGame) {
        let game = &mut predicted.game;
        self.move_values(&game.key, &mut predicted.extras, &mut game.own);
    }

    /// Moves the values of one game; returns true if there was one.
    fn move_values(&mut self, key: &GameKey, extras: &mut Extras, own: &mut OwnForecasts) -> bool {
        let mut any = false;
        for model in self.models {
            let Some(value) = extras.remove(model.as_str()) else { continue };
            if let Some(probability) = probability_in(&value) {
                own.insert(*model, probability);
                *self.moved.entry(*model).or_default() += 1;
                any = true;
            } else {
                let place = Place { file: format!("{}, {key}", self.within).into(), row: None };
                let written = value.borrowed().written().into_owned();
                self.problems.push(Problem::at(place, "a probability from 0 to 1").in_cell(model.as_str(), written));
            }
        }
        any
    }

    fn finish(self) -> Result<Promotion, Vec<Problem>> {
        if self.problems.is_empty() { Ok(self.moved) } else { Err(self.problems) }
    }
}
