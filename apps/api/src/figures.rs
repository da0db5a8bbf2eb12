//! How figures of a single game are written. What the service computes is rounded, what a publisher gave is not.

use sports_domain::{ModelColumn, Probability, rounded};

/// Decimals of a figure computed for one game.
const PLACES: u8 = 12;

/// A computed figure, rounded to 12 decimals, halves away from zero.
#[must_use]
pub fn computed(figure: f64) -> f64 {
    rounded(figure, PLACES)
}

/// A computed probability, likewise.
#[must_use]
pub fn computed_probability(probability: Probability) -> f64 {
    computed(probability.get())
}

/// A model's probability: the publisher's own as it was given, IMPLIED as it is computed.
#[must_use]
pub fn model_probability(model: ModelColumn, probability: Probability) -> f64 {
    if model == ModelColumn::Implied { computed_probability(probability) } else { probability.get() }
}
