use crate::{ModelColumn, Probability};

/// The probabilities published for one market of one game, at most one a model.
///
/// IMPLIED has no place here: it is the market's, and computed from prices.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forecasts([Option<Probability>; ModelColumn::FORECASTS.len()]);

impl Forecasts {
    /// The probability a model gave; always `None` for IMPLIED.
    #[must_use]
    pub fn get(&self, column: ModelColumn) -> Option<Probability> {
        slot(column).and_then(|slot| self.0[slot])
    }

    /// These forecasts with one model's probability put in; IMPLIED is left out.
    #[must_use]
    pub fn with(mut self, column: ModelColumn, probability: Probability) -> Self {
        if let Some(slot) = slot(column) {
            self.0[slot] = Some(probability);
        }
        self
    }

    /// Every model that gave a probability, in the order of [`ModelColumn::FORECASTS`].
    pub fn iter(&self) -> impl Iterator<Item = (ModelColumn, Probability)> + '_ {
        ModelColumn::FORECASTS.into_iter().zip(self.0).filter_map(|(column, probability)| Some((column, probability?)))
    }

    /// Whether no model gave a probability.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// A column's place among the forecasts: IMPLIED comes first in the full list and has none.
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
