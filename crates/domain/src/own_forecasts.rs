use std::collections::BTreeMap;

use crate::{ModelName, ModelSet, Probability};

/// The probabilities of a publisher's own models for one market of one game, by name, as files and archives have them.
/// Figures read them as [`Forecasts`](crate::Forecasts).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnForecasts(BTreeMap<ModelName, Probability>);

/// Eight own models of a game, in the order of a [`ModelSet`]; NaN for a model without a probability.
pub type OwnBlock = [f64; 8];

impl OwnForecasts {
    /// Returns a model's probability.
    #[must_use]
    pub fn get(&self, model: ModelName) -> Option<Probability> {
        self.0.get(&model).copied()
    }

    /// Sets a model's probability, replacing the previous one.
    pub fn insert(&mut self, model: ModelName, probability: Probability) {
        self.0.insert(model, probability);
    }

    /// Sets all probabilities of `other`, replacing previous ones.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Returns the models with a probability, by name.
    pub fn iter(&self) -> impl Iterator<Item = (ModelName, Probability)> + '_ {
        self.0.iter().map(|(model, probability)| (*model, *probability))
    }

    /// Returns `true` if no model has a probability.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the probabilities of the set's own models to a matrix: one block for each eight models or part of eight.
    pub fn write_blocks(&self, set: &ModelSet, matrix: &mut Vec<OwnBlock>) {
        matrix.extend(set.own().chunks(8).map(|models| {
            let mut block = [f64::NAN; 8];
            for (slot, model) in block.iter_mut().zip(models) {
                *slot = self.get(*model).map_or(f64::NAN, Probability::get);
            }
            block
        }));
    }
}
