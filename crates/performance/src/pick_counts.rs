use sports_domain::{ModelColumn, ModelId, ModelSet};

use crate::lanes::OWN_LANES;

/// The number of bits of the specification: its models, and the ensemble behind them.
const STANDARD: usize = ModelColumn::ALL.len() + 1;

/// The bit of the ensemble in a mask of [`PickCounts::add`], behind those of the largest set of models.
pub const ENSEMBLE: u64 = 1 << 63;

/// The numbers of picks of each model and of the ensemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickCounts {
    /// IMPLIED, the other models of the specification, the ensemble, and lanes without a use: processors count four at
    /// a time.
    standard: [u32; STANDARD.next_multiple_of(4)],
    /// One item for each block of own models.
    own: Vec<[u32; OWN_LANES]>,
}

impl PickCounts {
    /// Creates counts of zero for these models.
    pub fn new(models: &ModelSet) -> Self {
        Self {
            standard: [0; STANDARD.next_multiple_of(4)],
            own: vec![[0; OWN_LANES]; models.own().len().div_ceil(OWN_LANES)],
        }
    }

    /// Counts a pick of each model in a mask, in which the bit of a model is its place.
    #[inline]
    pub fn add(&mut self, mask: u64) {
        let ensemble = (mask >> 63) << (STANDARD - 1);
        count(&mut self.standard, mask & ((1 << (STANDARD - 1)) - 1) | ensemble);
        for (block, own) in self.own.iter_mut().enumerate() {
            count(own, mask >> (ModelColumn::ALL.len() + block * OWN_LANES) & 0xff);
        }
    }

    /// Changes each count by its counterpart.
    pub fn change(&mut self, by: &Self, change: impl Fn(u32, u32) -> u32) {
        let standard = self.standard.iter_mut().zip(&by.standard);
        let own = self.own.as_flattened_mut().iter_mut().zip(by.own.as_flattened());
        for (count, by) in standard.chain(own) {
            *count = change(*count, *by);
        }
    }

    /// Returns the number of picks of a model; of the ensemble for `None`.
    pub fn get(&self, model: Option<ModelId>) -> u32 {
        let Some(model) = model else { return self.standard[STANDARD - 1] };
        model.own_index().map_or_else(|| self.standard[model.index()], |own| self.own.as_flattened()[own])
    }
}

/// Adds one to the lane of each set bit, without a branch.
#[inline]
fn count<const W: usize>(lanes: &mut [u32; W], mask: u64) {
    #[expect(clippy::cast_possible_truncation, reason = "a mask of at most W bits")]
    let mask = mask as u32;
    for (place, lane) in lanes.iter_mut().enumerate() {
        *lane += u32::from(mask & 1 << place != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_a_count_of_its_own() {
        let names = (0..32).map(|index| format!("m{index}").parse().expect("a name"));
        let models = ModelSet::new(names).expect("32 names");
        let mut counts = PickCounts::new(&models);
        // The model at place p is in each mask whose number is divisible by p + 1; the ensemble in every seventh.
        for number in 0..1_000_u64 {
            let divided = (0..41).filter(|place| number.is_multiple_of(place + 1));
            let ensemble = if number.is_multiple_of(7) { ENSEMBLE } else { 0 };
            counts.add(divided.fold(ensemble, |mask, place| mask | 1 << place));
        }
        let divided = |by: u32| (0..1_000_u32).filter(|number| number.is_multiple_of(by)).count();
        for (model, by) in models.ids().zip(1..) {
            assert_eq!(counts.get(Some(model)) as usize, divided(by), "{model:?}");
        }
        assert_eq!(counts.get(None) as usize, divided(7));
        let twice = counts.clone();
        counts.change(&twice, |count, by| count + by);
        assert_eq!(counts.get(models.id("m31")), 2 * twice.get(models.id("m31")));
    }
}
