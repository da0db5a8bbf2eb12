use crate::{ModelColumn, ModelId, OwnBlock, Probability};

/// The probabilities published for one market of one game, at most one for each model of a
/// [`ModelSet`](crate::ModelSet): those of the specification's models by value, a publisher's own ones borrowed.
///
/// IMPLIED is not included: the market's probability is computed from prices.
#[derive(Debug, Clone, Copy)]
pub struct Forecasts<'a> {
    standard: [f64; ModelColumn::FORECASTS.len()],
    own: &'a [OwnBlock],
}

impl<'a> Forecasts<'a> {
    /// Returns a model's probability; always `None` for IMPLIED.
    #[inline]
    pub fn get(&self, model: impl Into<ModelId>) -> Option<Probability> {
        let model = model.into();
        let stored = match model.own_index() {
            Some(own) => self.own.get(own / 8)?[own % 8],
            None => self.standard[slot(model)?],
        };
        probability(stored)
    }

    /// Sets the probability of a model of the specification. Ignores IMPLIED.
    pub fn with(mut self, column: ModelColumn, probability: Probability) -> Self {
        if let Some(slot) = slot(column.into()) {
            self.standard[slot] = probability.get();
        }
        self
    }

    /// Sets the probabilities of a publisher's own models: blocks of eight in the order of their set, NaN for none.
    pub const fn with_own(self, own: &[OwnBlock]) -> Forecasts<'_> {
        Forecasts { standard: self.standard, own }
    }

    /// Returns the specification's models with a probability, in the order of [`ModelColumn::FORECASTS`].
    pub fn iter(&self) -> impl Iterator<Item = (ModelColumn, Probability)> + use<> {
        ModelColumn::FORECASTS
            .into_iter()
            .zip(self.standard)
            .filter_map(|(column, given)| Some((column, probability(given)?)))
    }

    /// Returns `true` if no model has a probability.
    pub fn is_empty(&self) -> bool {
        self.standard.iter().chain(self.own.as_flattened()).all(|given| given.is_nan())
    }

    /// Returns the probabilities of the specification's models in the order of [`ModelColumn::FORECASTS`], NaN for a
    /// model without one. This allows arithmetic on all models at once: NaN is neither above nor below any number.
    #[inline]
    pub const fn or_nan(&self) -> &[f64; ModelColumn::FORECASTS.len()] {
        &self.standard
    }

    /// Returns the probabilities of a publisher's own models in blocks of eight, NaN for a model without one.
    #[inline]
    pub const fn own_or_nan(&self) -> &'a [OwnBlock] {
        self.own
    }
}

impl Default for Forecasts<'_> {
    /// Returns forecasts without probabilities.
    fn default() -> Self {
        Self { standard: [f64::NAN; ModelColumn::FORECASTS.len()], own: &[] }
    }
}

impl PartialEq for Forecasts<'_> {
    fn eq(&self, other: &Self) -> bool {
        let own = |all: &Self| all.own.as_flattened().iter().map(|given| probability(*given)).collect::<Vec<_>>();
        self.iter().eq(other.iter()) && own(self) == own(other)
    }
}

/// Converts a stored number; `None` for NaN.
#[inline]
fn probability(given: f64) -> Option<Probability> {
    Probability::new(given).ok()
}

/// Returns a model's index among the forecasts of the specification. IMPLIED, the first of all columns, has none.
#[inline]
const fn slot(model: ModelId) -> Option<usize> {
    model.index().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelName, ModelSet, OwnForecasts};

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

    #[test]
    fn own_forecasts_are_read_by_the_places_of_their_set() {
        let name = |text: &str| text.parse::<ModelName>().expect("a name");
        let names: Vec<_> = (0..9).map(|index| name(&format!("m{index}"))).collect();
        let (set, probability) = (ModelSet::new(names).expect("nine names"), Probability::new(0.6).expect("valid"));
        let mut own = OwnForecasts::default();
        own.insert(name("m8"), probability);
        own.insert(name("other"), probability);
        let mut blocks = Vec::new();
        own.write_blocks(&set, &mut blocks);
        assert_eq!(blocks.len(), 2);
        let forecasts = Forecasts::default().with_own(&blocks);
        let get = |model: &str| set.id(model).and_then(|id| forecasts.get(id));
        assert_eq!([get("m8"), get("m7"), get("BLEND"), get("IMPLIED")], [Some(probability), None, None, None]);
        assert!(!forecasts.is_empty() && forecasts.iter().next().is_none());
    }
}
