use crate::{ModelColumn, Probability};

/// The probabilities published for one market of one game, at most one for each model.
///
/// IMPLIED is not included: the market's probability is computed from prices.
#[derive(Debug, Clone, Copy)]
pub struct Forecasts([f64; ModelColumn::FORECASTS.len()]);

impl Forecasts {
    /// Returns a model's probability; always `None` for IMPLIED.
    #[must_use]
    #[inline]
    pub fn get(&self, column: ModelColumn) -> Option<Probability> {
        slot(column).and_then(|slot| probability(self.0[slot]))
    }

    /// Sets one model's probability. Ignores IMPLIED.
    #[must_use]
    pub fn with(mut self, column: ModelColumn, probability: Probability) -> Self {
        if let Some(slot) = slot(column) {
            self.0[slot] = probability.get();
        }
        self
    }

    /// Returns the models with a probability, in the order of [`ModelColumn::FORECASTS`].
    pub fn iter(&self) -> impl Iterator<Item = (ModelColumn, Probability)> + '_ {
        ModelColumn::FORECASTS.into_iter().zip(self.0).filter_map(|(column, given)| Some((column, probability(given)?)))
    }

    /// Returns `true` if no model has a probability.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the probabilities in the order of [`ModelColumn::FORECASTS`], NaN for a model without one. This allows
    /// arithmetic on all models at once: NaN is neither above nor below any number.
    #[must_use]
    #[inline]
    pub const fn or_nan(&self) -> [f64; ModelColumn::FORECASTS.len()] {
        self.0
    }
}

impl Default for Forecasts {
    /// Returns forecasts without probabilities.
    fn default() -> Self {
        Self([f64::NAN; ModelColumn::FORECASTS.len()])
    }
}

impl PartialEq for Forecasts {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Converts a stored number; `None` for NaN.
#[inline]
fn probability(given: f64) -> Option<Probability> {
    Probability::new(given).ok()
}

/// Returns a column's index among the forecasts. IMPLIED, the first of all columns, has none.
#[inline]
const fn slot(column: ModelColumn) -> Option<usize> {
    column.index().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_is_stored_by_its_column_and_not_for_implied() {
        let probability = Probability::new(0.6).expect("valid");
        let forecasts = Forecasts::default().with(ModelColumn::Xt, probability).with(ModelColumn::Implied, probability);
        assert_eq!(forecasts.iter().collect::<Vec<_>>(), [(ModelColumn::Xt, probability)]);
        assert_eq!(forecasts.get(ModelColumn::Xt), Some(probability));
        assert_eq!(forecasts.get(ModelColumn::Implied), None);
        assert_eq!(forecasts.get(ModelColumn::Blend), None);
        assert!(Forecasts::default().is_empty() && !forecasts.is_empty());
    }
}
