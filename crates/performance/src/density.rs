use std::collections::BTreeMap;

use sports_domain::{ModelColumn, Probability, Side};

use crate::{SeasonGame, Tally};

/// Into how many equal bins each axis of a grid is cut.
pub const BINS: u8 = 20;

/// What fell into one cell of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GridCell {
    /// How BLEND's picks did.
    pub picks: Tally,
    /// How often the over or the home side happened.
    pub positive: u32,
}

impl GridCell {
    const fn add_all(&mut self, other: Self) {
        self.picks.add_all(other.picks);
        self.positive = self.positive.saturating_add(other.positive);
    }
}

/// How graded games spread over BLEND's probability and the market's: BLEND's probability along one axis, IMPLIED's along
/// the other, in bins of five points, counted 0 to 19.
///
/// A game counts when BLEND took a side and both prices were recorded. A bin includes its lower edge and
/// not its upper one, except the last, which includes 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid(BTreeMap<(u8, u8), GridCell>);

impl Grid {
    /// The grid of a season's games of one market.
    #[must_use]
    pub fn from_games(games: &[SeasonGame<'_>]) -> Self {
        let mut grid = Self::default();
        for game in games {
            let Some(graded) = game.graded() else { continue };
            let probabilities =
                (game.market().probability(ModelColumn::Blend), game.market().probability(ModelColumn::Implied));
            if let (Some(won), (Some(blend), Some(implied))) = (graded.won(ModelColumn::Blend), probabilities) {
                let cell = grid.0.entry((bin(blend), bin(implied))).or_default();
                cell.picks.add(won);
                cell.positive += u32::from(graded.outcome() == Side::Positive);
            }
        }
        grid
    }

    /// Counts another grid's games.
    pub fn add_all(&mut self, other: &Self) {
        for (place, cell) in &other.0 {
            self.0.entry(*place).or_default().add_all(*cell);
        }
    }

    /// The cells something fell into, as (BLEND's bin, IMPLIED's bin, cell), in that order.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8, GridCell)> {
        self.0.iter().map(|((blend, implied), cell)| (*blend, *implied, *cell))
    }

    /// Games in all cells together.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.0.values().map(|cell| cell.picks.games()).sum()
    }

    /// The lower edge of a bin, as a probability.
    #[must_use]
    pub fn lower_edge(bin: u8) -> f64 {
        // Dividing once gives the binary number nearest to the decimal one.
        f64::from(bin) / f64::from(BINS)
    }
}

/// The bin of a probability. Decided on its first nine decimals: 0.35 is the edge it is written as, though
/// dividing the binary number by 0.05 would leave it below.
fn bin(probability: Probability) -> u8 {
    const SCALE: f64 = 1e9;
    let edge = SCALE / f64::from(BINS);
    let bin = ((probability.get() * SCALE).round() / edge).floor();
    (0..BINS).find(|place| bin < f64::from(place + 1)).unwrap_or(BINS - 1)
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
