//! The rounding of figures of a single game. Figures that the service computes are rounded, a publisher's are not.

use sports_domain::{ModelColumn, ModelName, Probability, rounded};

/// The decimals of a figure computed for one game.
const PLACES: u8 = 12;

/// Rounds a computed figure to 12 decimals, halves away from zero.
pub fn computed(figure: f64) -> f64 {
    rounded(figure, PLACES)
}

/// Rounds a computed probability to 12 decimals, halves away from zero.
pub fn computed_probability(probability: Probability) -> f64 {
    computed(probability.get())
}

/// Returns a model's probability as it is served: the publisher's own unchanged, IMPLIED rounded.
pub fn model_probability(model: ModelName, probability: Probability) -> f64 {
    if model == ModelName::of(ModelColumn::Implied) { computed_probability(probability) } else { probability.get() }
}
