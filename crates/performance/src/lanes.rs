//! Arrays with one number for each model and the ensemble.

use sports_domain::ModelColumn;

use crate::Summarised;

/// The number of lanes: the model columns of a publisher, IMPLIED, and the ensemble, in this order.
pub const LANES: usize = ModelColumn::ALL.len() + 1;

/// The lane of IMPLIED.
pub const IMPLIED: usize = LANES - 2;

/// The lane of the ensemble.
pub const ENSEMBLE: usize = LANES - 1;

/// A number for each model and the ensemble. Sums over lanes need no branch, and a processor adds several lanes at a
/// time.
pub type Lanes<T> = [T; LANES];

impl Summarised {
    /// Returns its index in [`Lanes`].
    pub(crate) const fn lane(self) -> usize {
        match self {
            Self::Model(ModelColumn::Implied) => IMPLIED,
            // IMPLIED comes first among the models.
            Self::Model(forecast) => forecast.index() - 1,
            Self::Ensemble => ENSEMBLE,
        }
    }
}
