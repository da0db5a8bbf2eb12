//! Everybody at once.

use sports_domain::ModelColumn;

use crate::Summarised;

/// How many are summed up: the columns that a publisher provides, IMPLIED, and the ensemble, in this order.
pub const LANES: usize = ModelColumn::ALL.len() + 1;

/// The lane of IMPLIED.
pub const IMPLIED: usize = LANES - 2;

/// The lane of the ensemble.
pub const ENSEMBLE: usize = LANES - 1;

/// A number for each of those who are summed up. Sums over lanes need no branch, and a processor adds several lanes at a
/// time.
pub type Lanes<T> = [T; LANES];

impl Summarised {
    /// Its place in [`Lanes`].
    pub(crate) const fn lane(self) -> usize {
        match self {
            Self::Model(ModelColumn::Implied) => IMPLIED,
            // IMPLIED comes first among the models.
            Self::Model(forecast) => forecast.index() - 1,
            Self::Ensemble => ENSEMBLE,
        }
    }
}
