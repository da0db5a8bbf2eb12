use std::collections::BTreeMap;

use sports_domain::{ModelColumn, ModelId, Probability, Side};

use crate::{SeasonGame, Tally};

/// The number of equal bins on each axis of a grid.
pub const BINS: u8 = 20;

/// The counts of one cell of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GridCell {
    /// Wins and losses of the model's picks.
    pub picks: Tally,
    /// The number of games that the over or the home side won.
    pub positive: u32,
}

impl GridCell {
    const fn add_all(&mut self, other: Self) {
        self.picks.add_all(other.picks);
        self.positive = self.positive.saturating_add(other.positive);
    }
}

/// The distribution of graded games over a model's and the market's probability: the model's probability on one axis,
/// IMPLIED's on the other, in bins of five points, numbered 0 to 19.
///
/// A game counts if the model picked a side and both prices were recorded. A bin includes its lower edge and excludes its
/// upper edge, except the last, which includes 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid(BTreeMap<(u8, u8), GridCell>);

impl Grid {
    /// Creates the grid of a season's games in one market, by the probability of a model.
    #[must_use]
    pub fn from_games(games: &[SeasonGame<'_>], model: impl Into<ModelId>) -> Self {
        let (mut grid, model) = (Self::default(), model.into());
        for game in games {
            let Some(graded) = game.graded() else { continue };
            let probabilities = (game.market().probability(model), game.market().probability(ModelColumn::Implied));
            if let (Some(won), (Some(own), Some(implied))) = (graded.won(model), probabilities) {
                let cell = grid.0.entry((bin(own), bin(implied))).or_default();
                cell.picks.add(won);
                cell.positive += u32::from(graded.outcome() == Side::Positive);
            }
        }
        grid
    }

    /// Adds another grid's games.
    pub fn add_all(&mut self, other: &Self) {
        for (place, cell) in &other.0 {
            self.0.entry(*place).or_default().add_all(*cell);
        }
    }

    /// Returns the cells with games as (the model's bin, IMPLIED's bin, cell), in that order.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8, GridCell)> {
        self.0.iter().map(|((own, implied), cell)| (*own, *implied, *cell))
    }

    /// Returns the number of games in all cells.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.0.values().map(|cell| cell.picks.games()).sum()
    }

    /// Returns the lower edge of a bin, as a probability.
    #[must_use]
    pub fn lower_edge(bin: u8) -> f64 {
        // A single division gives the binary number nearest to the decimal one.
        f64::from(bin) / f64::from(BINS)
    }
}

/// Returns the bin of a probability, rounded to nine decimals: 0.35 is an edge, though the binary number divided by
/// 0.05 is below 7.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 20")]
fn bin(probability: Probability) -> u8 {
    const SCALE: f64 = 1e9;
    let edge = SCALE / f64::from(BINS);
    let bin = (probability.get() * SCALE).round() / edge;
    (bin as u8).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_belongs_to_the_bin_above_it_and_one_to_the_last() {
        let table =
            [(0.0, 0), (0.049_9, 0), (0.05, 1), (0.15, 3), (0.35, 7), (0.349_9, 6), (0.55, 11), (0.95, 19), (1.0, 19)];
        for (probability, place) in table {
            assert_eq!(bin(Probability::new(probability).expect("valid")), place, "{probability}");
        }
        for place in 0..BINS {
            assert_eq!(bin(Probability::new(Grid::lower_edge(place)).expect("valid")), place);
        }
        let computed = Probability::new(0.1 + 0.2).expect("valid");
        assert_eq!(bin(computed), 6, "0.30000000000000004 is 0.3");
    }
}
