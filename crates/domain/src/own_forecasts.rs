use std::sync::Arc;

use crate::{ModelColumn, ModelName, Probability};

/// The probabilities of a publisher's own models for one market of one game, by name, as files and archives have them.
/// Figures read them as [`Forecasts`](crate::Forecasts).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnForecasts(
    /// In the order of names. A list takes 40 bytes a model, and a map of as many models more than twice as much.
    Vec<(ModelName, Probability)>,
);

/// Eight own models of a game, in the order of a [`ModelSet`]; NaN for a model without a probability.
pub type OwnBlock = [f64; 8];

impl OwnForecasts {
    /// Returns a model's probability.
    pub fn get(&self, model: ModelName) -> Option<Probability> {
        self.place(model).ok().map(|place| self.0[place].1)
    }

    /// Sets a model's probability, replacing the previous one.
    pub fn insert(&mut self, model: ModelName, probability: Probability) {
        match self.place(model) {
            Ok(place) => self.0[place].1 = probability,
            Err(place) => self.0.insert(place, (model, probability)),
        }
    }

    /// Returns the place of a model in the list, or the place at which it would be.
    fn place(&self, model: ModelName) -> Result<usize, usize> {
        // Most models come in the order of their names.
        match self.0.last() {
            Some((last, _)) if *last < model => Err(self.0.len()),
            _ => self.0.binary_search_by_key(&model, |(name, _)| *name),
        }
    }

    /// Sets all probabilities of `other`, replacing previous ones.
    pub fn extend(&mut self, other: &Self) {
        other.iter().for_each(|(model, probability)| self.insert(model, probability));
    }

    /// Returns the models with a probability, by name.
    pub fn iter(&self) -> impl Iterator<Item = (ModelName, Probability)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the bytes that are held beside the value itself.
    pub const fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(ModelName, Probability)>()
    }

    /// Returns `true` if no model has a probability.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the probabilities of the set's own models to a matrix: one block for each eight models or part of eight.
    pub fn write_blocks(&self, set: &ModelSet, matrix: &mut Vec<OwnBlock>) {
        matrix.extend(set.own().chunks(8).map(|models| {
            let mut block = [f64::NAN; 8];
            for (slot, model) in block.iter_mut().zip(models) {
                *slot = self.get(*model).map_or(f64::NAN, Probability::get);
            }
            block
        }));
    }
}

/// The probabilities of a season's own models: a row of blocks for each game. It is empty without own models.
#[derive(Debug, Clone, Default)]
pub struct OwnMatrix {
    blocks_of_a_row: usize,
    blocks: Vec<OwnBlock>,
}

impl OwnMatrix {
    /// Collects the probabilities of a set's own models, a row for each game.
    pub fn from_games<'a>(models: &ModelSet, games: impl IntoIterator<Item = &'a OwnForecasts>) -> Self {
        let mut blocks = Vec::new();
        if !models.own().is_empty() {
            games.into_iter().for_each(|own| own.write_blocks(models, &mut blocks));
            blocks.shrink_to_fit();
        }
        Self { blocks_of_a_row: models.own().len().div_ceil(8), blocks }
    }

    /// Returns the row of a game, by the game's index; empty for a game that the matrix lacks.
    pub fn row(&self, game: usize) -> &[OwnBlock] {
        let first = game * self.blocks_of_a_row;
        self.blocks.get(first..first + self.blocks_of_a_row).unwrap_or_default()
    }

    /// Returns the memory of all rows, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }
}

impl PartialEq for OwnMatrix {
    /// Compares bit by bit: a missing probability equals another.
    fn eq(&self, other: &Self) -> bool {
        let bits = |matrix: &Self| matrix.blocks.as_flattened().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        self.blocks_of_a_row == other.blocks_of_a_row && bits(self) == bits(other)
    }
}

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

    #[test]
    fn a_matrix_has_a_row_of_each_game() {
        let name = |index: usize| format!("m{index}").parse::<ModelName>().expect("a name");
        let probability = |raw: f64| Probability::new(raw).expect("valid");
        let models = ModelSet::new((0..9).map(name)).expect("nine names");
        let mut last = OwnForecasts::default();
        last.insert(name(8), probability(0.25));
        let games = [OwnForecasts::default(), last];
        let matrix = OwnMatrix::from_games(&models, &games);
        assert_eq!((matrix.row(0).len(), matrix.row(1).len(), matrix.row(2).len()), (2, 2, 0));
        assert!(matrix.row(0).as_flattened().iter().all(|value| value.is_nan()));
        assert_eq!(matrix.row(1)[1][0].to_bits(), 0.25_f64.to_bits());
        assert_eq!((matrix.bytes(), &matrix), (2 * 2 * 64, &matrix.clone()));
        assert_ne!(matrix, OwnMatrix::from_games(&models, &games[..1]));
        let none = OwnMatrix::from_games(&ModelSet::default(), &games);
        assert_eq!((none.row(1).len(), none.bytes()), (0, 0));
    }

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
