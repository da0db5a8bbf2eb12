use sports_domain::{ModelColumn, ModelId, ModelSet, Probability, Side};

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

/// The number of cells of a grid.
const CELLS: usize = BINS as usize * BINS as usize;

/// The picks of one cell, by the side that won and by whether the pick lost.
type Counts = [[u32; 2]; 2];

impl From<Counts> for GridCell {
    fn from([positive, negative]: Counts) -> Self {
        let [wins, losses] = [0, 1].map(|lost| positive[lost] + negative[lost]);
        Self { picks: Tally { wins, losses }, positive: positive.iter().sum() }
    }
}

/// The distribution of graded games over a model's and the market's probability: the model's probability on one axis,
/// IMPLIED's on the other, in bins of five points, numbered 0 to 19.
///
/// A game counts if the model picked a side and both prices were recorded. A bin includes its lower edge and excludes its
/// upper edge, except the last, which includes 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid(Vec<PlacedCell>);

/// A cell with games behind its place: the model's bin, and IMPLIED's. Cells of a grid are in the order of places.
type PlacedCell = ((u8, u8), GridCell);

impl Grid {
    /// Creates the grid of a season's games in one market, by the probability of a model.
    pub fn from_games(games: &[SeasonGame<'_>], model: impl Into<ModelId>) -> Self {
        Self::from_binned(&binned(games), model.into())
    }

    fn from_binned(games: &[BinnedGame<'_, '_>], model: ModelId) -> Self {
        let (mut counts, bit) = ([Counts::default(); CELLS], 1 << model.index());
        for BinnedGame { game, implied, winner, won, lost } in games {
            if (won | lost) & bit == 0 {
                continue;
            }
            if let Some(own) = game.market().probability(model) {
                let lost = usize::from(lost & bit != 0);
                counts[usize::from(bin(own)) * usize::from(BINS) + implied][*winner as usize][lost] += 1;
            }
        }
        let places = (0..BINS).flat_map(|own| (0..BINS).map(move |implied| (own, implied)));
        let cells = places.zip(counts.map(GridCell::from));
        Self(cells.filter(|(_, cell)| cell.picks.games() > 0).collect())
    }

    /// Adds another grid's games.
    pub fn add_all(&mut self, other: &Self) {
        for (place, cell) in &other.0 {
            match self.0.binary_search_by_key(place, |(place, _)| *place) {
                Ok(index) => self.0[index].1.add_all(*cell),
                Err(index) => self.0.insert(index, (*place, *cell)),
            }
        }
    }

    /// Returns the cells with games as (the model's bin, IMPLIED's bin, cell), in that order.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8, GridCell)> {
        self.0.iter().map(|((own, implied), cell)| (*own, *implied, *cell))
    }

    /// Returns the number of games in all cells.
    pub fn games(&self) -> u32 {
        self.0.iter().map(|(_, cell)| cell.picks.games()).sum()
    }

    /// Returns the memory of the cells, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// Returns the lower edge of a bin, as a probability.
    pub fn lower_edge(bin: u8) -> f64 {
        // A single division gives the binary number nearest to the decimal one.
        f64::from(bin) / f64::from(BINS)
    }
}

/// Returns the grid of each model of a season, in the order of [`ModelSet::ids`]. `models` are the models of the season.
pub fn grids(games: &[SeasonGame<'_>], models: &ModelSet) -> Vec<Grid> {
    let games = binned(games);
    models.ids().map(|model| Grid::from_binned(&games, model)).collect()
}

/// A graded game with both prices.
struct BinnedGame<'g, 'a> {
    game: &'g SeasonGame<'a>,
    /// The bin of IMPLIED.
    implied: usize,
    winner: Side,
    /// The masks of models whose picks won and lost.
    won: u64,
    lost: u64,
}

/// Returns the games that a grid can count.
fn binned<'g, 'a>(games: &'g [SeasonGame<'a>]) -> Vec<BinnedGame<'g, 'a>> {
    let binned = |game: &'g SeasonGame<'a>| {
        let (graded, implied) = (game.graded()?, game.market().probability(ModelColumn::Implied)?);
        let (winner, picks) = (graded.outcome(), graded.picks());
        let [won, lost] = [winner, winner.opposite()].map(|side| picks.on(side));
        Some(BinnedGame { game, implied: usize::from(bin(implied)), winner, won, lost })
    };
    games.iter().filter_map(binned).collect()
}

/// Returns the bin of a probability, rounded to nine decimals: 0.35 is an edge, though the binary number divided by
/// 0.05 is below 7.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a billion, and at most 20")]
fn bin(probability: Probability) -> u8 {
    const SCALE: u32 = 1_000_000_000;
    const BIN: u32 = SCALE / BINS as u32;
    // In whole numbers, because processors divide those by a constant without a division.
    let billionths = (probability.get() * f64::from(SCALE) + 0.5) as u32;
    ((billionths / BIN) as u8).min(BINS - 1)
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

    #[test]
    fn a_probability_beside_an_edge_is_rounded_to_nine_decimals() {
        let rounded = |probability: f64| (probability * 1e9).round() / 5e7;
        for edge in 1..BINS {
            // Half a billionth below an edge is on it; the last doubles below that are not.
            for step in -2_000_i32..=2_000 {
                for near in [Grid::lower_edge(edge), Grid::lower_edge(edge) - 5e-10] {
                    let probability = near * (1.0 + f64::from(step) * f64::EPSILON);
                    let expected = (0..BINS).rev().find(|bin| f64::from(*bin) <= rounded(probability));
                    let found = bin(Probability::new(probability).expect("valid"));
                    assert_eq!(Some(found), expected, "{probability:?}");
                }
            }
        }
    }
}
