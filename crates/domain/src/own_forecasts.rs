use crate::{ModelName, ModelSet, Probability};

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
}
