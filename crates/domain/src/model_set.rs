use std::sync::Arc;

use crate::{ModelColumn, ModelName};

/// The place of a model in a [`ModelSet`]: 0 is IMPLIED, 1 to 8 are the other models of the specification, and a
/// publisher's own models follow. It has a meaning beside its set only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId(u8);

impl ModelId {
    /// Returns the place of a model of the specification, the same in each set.
    #[inline]
    pub const fn of(column: ModelColumn) -> Self {
        Self(column as u8)
    }

    /// Returns the place of the publisher's own model with this index, for an index below [`ModelSet::MOST`].
    #[inline]
    pub fn own(index: usize) -> Option<Self> {
        let place = (index < ModelSet::MOST).then_some(index + ModelColumn::ALL.len())?;
        u8::try_from(place).ok().map(Self)
    }

    /// Returns the place as a number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the model of the specification at this place, if any.
    #[inline]
    pub fn column(self) -> Option<ModelColumn> {
        ModelColumn::ALL.get(self.index()).copied()
    }

    /// Returns the index among a publisher's own models; `None` for a model of the specification.
    #[inline]
    pub const fn own_index(self) -> Option<usize> {
        self.index().checked_sub(ModelColumn::ALL.len())
    }
}

impl From<ModelColumn> for ModelId {
    #[inline]
    fn from(column: ModelColumn) -> Self {
        Self::of(column)
    }
}

/// The models of a season or a slate: those of the specification, and a publisher's own ones in the order of their
/// declaration. Equal sets have equal places. A copy shares its names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelSet(Arc<[ModelName]>);

/// The error for names that do not form a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAModelSet {
    /// More own models than a set has.
    #[error("{0} is one more than the {most} own models that a season can have", most = ModelSet::MOST)]
    TooMany(ModelName),
    /// A model of the specification, or a name that occurs twice.
    #[error("{0} is listed twice")]
    Repeated(ModelName),
}

impl ModelSet {
    /// The largest number of own models in a set.
    pub const MOST: usize = 32;

    /// Creates a set of own models, in this order.
    ///
    /// # Errors
    ///
    /// [`NotAModelSet`] for more than [`Self::MOST`] names, and for a name that the set has already.
    pub fn new(own: impl IntoIterator<Item = ModelName>) -> Result<Self, NotAModelSet> {
        let own: Vec<_> = own.into_iter().collect();
        let is_repeated = |index: &usize| own[*index].column().is_some() || own[..*index].contains(&own[*index]);
        match (0..own.len()).find(is_repeated) {
            Some(index) => Err(NotAModelSet::Repeated(own[index])),
            None => own
                .get(Self::MOST)
                .map_or_else(|| Ok(Self(own.as_slice().into())), |name| Err(NotAModelSet::TooMany(*name))),
        }
    }

    /// Returns a publisher's own models.
    pub fn own(&self) -> &[ModelName] {
        &self.0
    }

    /// Returns the place of a model, by its exact name.
    pub fn id(&self, name: &str) -> Option<ModelId> {
        let own = || self.0.iter().position(|known| known.as_str() == name).and_then(ModelId::own);
        name.parse().map_or_else(|_| own(), |column: ModelColumn| Some(column.into()))
    }

    /// Returns the name of the model at a place of this set.
    ///
    /// # Panics
    ///
    /// Panics for a place that only another set has.
    pub fn name(&self, id: ModelId) -> ModelName {
        id.own_index().map_or_else(|| ModelName::of(ModelColumn::ALL[id.index()]), |index| self.0[index])
    }

    /// Returns each place but that of IMPLIED, whose probability is computed from prices.
    pub fn forecasts(&self) -> impl Iterator<Item = ModelId> + use<> {
        self.ids().skip(1)
    }

    /// Returns each place, IMPLIED first.
    pub fn ids(&self) -> impl Iterator<Item = ModelId> + use<> {
        (0..ModelColumn::ALL.len() + self.0.len()).filter_map(|place| u8::try_from(place).ok()).map(ModelId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ModelName {
        text.parse().expect("a name")
    }

    #[test]
    fn own_models_follow_those_of_the_specification() {
        let set = ModelSet::new([name("nn_v2"), name("ELO")]).expect("two names");
        let names: Vec<_> = set.ids().map(|id| set.name(id).to_string()).collect();
        assert_eq!(names.join(" "), "IMPLIED AI BLEND CATB RF LGB LOGR XGB XT nn_v2 ELO");
        assert_eq!(set.id("ELO").map(ModelId::index), Some(10));
        assert_eq!(set.id("BLEND").and_then(ModelId::column), Some(ModelColumn::Blend));
        assert_eq!([set.id("elo"), set.id("ENSEMBLE")], [None; 2]);
        assert_eq!(ModelSet::default().ids().count(), 9);
        assert!(set.forecasts().eq(set.ids().filter(|id| *id != ModelId::of(ModelColumn::Implied))));
    }

    #[test]
    fn a_set_has_no_name_twice_and_at_most_32_own_models() {
        assert_eq!(ModelSet::new([name("ELO"), name("ELO")]), Err(NotAModelSet::Repeated(name("ELO"))));
        assert_eq!(ModelSet::new([name("BLEND")]), Err(NotAModelSet::Repeated(name("BLEND"))));
        let many = |count: usize| ModelSet::new((0..count).map(|index| name(&format!("m{index}"))));
        assert_eq!(many(32).map(|set| set.ids().count()), Ok(41));
        let reason = "m32 is one more than the 32 own models that a season can have";
        assert_eq!(many(33).map_err(|error| error.to_string()), Err(reason.to_owned()));
        assert_eq!(many(33), Err(NotAModelSet::TooMany(name("m32"))));
    }
}
