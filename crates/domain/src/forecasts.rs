use crate::{ModelColumn, Probability};

/// The probabilities published for one market of one game, at most one a model.
///
/// IMPLIED has no place here: it is the market's, and computed from prices.
#[derive(Debug, Clone, Copy)]
pub struct Forecasts([f64; ModelColumn::FORECASTS.len()]);

impl Forecasts {
    /// The probability a model gave; always `None` for IMPLIED.
    #[must_use]
    #[inline]
    pub fn get(&self, column: ModelColumn) -> Option<Probability> {
        slot(column).and_then(|slot| probability(self.0[slot]))
    }

    /// These forecasts with one model's probability put in; IMPLIED is left out.
    #[must_use]
    pub fn with(mut self, column: ModelColumn, probability: Probability) -> Self {
        if let Some(slot) = slot(column) {
            self.0[slot] = probability.get();
        }
        self
    }

    /// Every model that gave a probability, in the order of [`ModelColumn::FORECASTS`].
    pub fn iter(&self) -> impl Iterator<Item = (ModelColumn, Probability)> + '_ {
        ModelColumn::FORECASTS.into_iter().zip(self.0).filter_map(|(column, given)| Some((column, probability(given)?)))
    }

    /// Whether no model gave a probability.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The probabilities in the order of [`ModelColumn::FORECASTS`], NaN for a model that gave none: for arithmetic
    /// with all of them at once, in which a missing one is neither above nor below anything.
    #[must_use]
    #[inline]
    pub const fn or_nan(&self) -> [f64; ModelColumn::FORECASTS.len()] {
        self.0
    }
}

impl Default for Forecasts {
    /// None.
    fn default() -> Self {
        Self([f64::NAN; ModelColumn::FORECASTS.len()])
    }
}

impl PartialEq for Forecasts {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// NaN is no probability.
#[inline]
fn probability(given: f64) -> Option<Probability> {
    Probability::new(given).ok()
}

/// A column's place among the forecasts: IMPLIED comes first in the full list and has none.
#[inline]
const fn slot(column: ModelColumn) -> Option<usize> {
    column.index().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_is_kept_by_its_column_and_implied_by_none() {
        let probability = Probability::new(0.6).expect("valid");
        let forecasts = Forecasts::default().with(ModelColumn::Xt, probability).with(ModelColumn::Implied, probability);
        assert_eq!(forecasts.iter().collect::<Vec<_>>(), [(ModelColumn::Xt, probability)]);
        assert_eq!(forecasts.get(ModelColumn::Xt), Some(probability));
        assert_eq!(forecasts.get(ModelColumn::Implied), None);
        assert_eq!(forecasts.get(ModelColumn::Blend), None);
        assert!(Forecasts::default().is_empty() && !forecasts.is_empty());
    }
}
