//! Arrays with one number for each of several subjects: sums over lanes need no branch, and a processor adds several
//! lanes at a time.

use sports_domain::{ModelColumn, ModelId};
use sports_grading::MarketGame;

/// The number of lanes of the specification: its forecasts, IMPLIED, and the ensemble, in this order.
pub const LANES: usize = ModelColumn::ALL.len() + 1;

/// The number of lanes of a block of own models.
pub const OWN_LANES: usize = 8;

/// The lane of IMPLIED.
const IMPLIED: usize = LANES - 2;

/// The lane of the ensemble.
const ENSEMBLE: usize = LANES - 1;

/// The lane of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A lane of the specification.
    Standard(usize),
    /// A block of own models, and the lane in it.
    Own(usize, usize),
}

impl Lane {
    /// Returns the lane of a model; that of the ensemble for `None`.
    pub fn of(model: Option<ModelId>) -> Self {
        let Some(model) = model else { return Self::Standard(ENSEMBLE) };
        match (model.own_index(), model.index()) {
            (Some(own), _) => Self::Own(own / OWN_LANES, own % OWN_LANES),
            // IMPLIED has the first place among the models.
            (None, place) => Self::Standard(place.checked_sub(1).unwrap_or(IMPLIED)),
        }
    }
}

/// Returns the probabilities of the lanes of the specification, NaN for a subject without one. The ensemble has no
/// probability to bet by.
#[inline]
pub fn standard(market: &MarketGame<'_>) -> [f64; LANES] {
    let [ai, blend, catb, rf, lgb, logr, xgb, xt] = *market.forecasts().or_nan();
    let implied = market.probability(ModelColumn::Implied).map_or(f64::NAN, sports_domain::Probability::get);
    [ai, blend, catb, rf, lgb, logr, xgb, xt, implied, f64::NAN]
}
