use crate::SplitMix64;
use crate::bins::{BINS, bin_index};
use crate::corp::{Point, Pooled};

/// The number of random bits that decide a game. One number of the generator decides two games.
const BITS: u32 = 31;

/// A season that is simulated from its probabilities, with its games in the order of probabilities.
pub struct Season {
    games: Vec<Chance>,
    /// One point before the first game, and one after the last game of each probability.
    points: Vec<Point>,
    bins: Vec<BinEnd>,
    /// The sum over games of the squared chance.
    squared_chances: f64,
}

/// The chance of one game.
struct Chance {
    /// The game is won if its random number is below the threshold.
    threshold: u32,
    /// One for the last game of a probability, except for the very last game; else zero.
    closes: u8,
}

/// The index of a bin's last point, and the sum of the chances in the bin.
struct BinEnd {
    point: usize,
    expected: f64,
}

/// The outcomes of a season, recorded or simulated.
#[derive(Clone, Copy)]
pub struct SeasonOutcomes<'a> {
    season: &'a Season,
    /// The sum of the thresholds of games that were won.
    thresholds_won: u64,
}

impl Season {
    /// Prepares a season of forecasts.
    pub fn of_forecasts(forecasts: &Pooled) -> Self {
        let mut points = vec![Point::default()];
        let mut games: Vec<Chance> = Vec::new();
        let mut bins: Vec<BinEnd> = (0..BINS).map(|_| BinEnd { point: 0, expected: 0.0 }).collect();
        for pool in forecasts.pools() {
            let threshold = threshold(pool.probability);
            games.extend((1..=pool.games).map(|game| Chance { threshold, closes: u8::from(game == pool.games) }));
            let last = points[points.len() - 1];
            points.push(Point { games: last.games + pool.games, won: 0 });
            let bin = &mut bins[bin_index(pool.probability)];
            bin.point = points.len() - 1;
            bin.expected += f64::from(pool.games) * pool.probability;
        }
        if let Some(last) = games.last_mut() {
            last.closes = 0;
        }
        bins.retain(|bin| bin.point > 0);
        let squared_chances = games.iter().map(|game| chance(game.threshold.into()).powi(2)).sum();
        Self { games, points, bins, squared_chances }
    }

    /// Returns the recorded outcomes. `forecasts` must be those of [`Self::of_forecasts`].
    pub fn recorded(&mut self, forecasts: &Pooled) -> SeasonOutcomes<'_> {
        let (mut won, mut thresholds_won) = (0, 0);
        for (point, pool) in self.points[1..].iter_mut().zip(forecasts.pools()) {
            won += pool.won;
            thresholds_won += u64::from(pool.won) * u64::from(threshold(pool.probability));
            point.won = won;
        }
        SeasonOutcomes { season: self, thresholds_won }
    }

    /// Simulates outcomes: each game is won with its probability.
    pub fn draw(&mut self, generator: &mut SplitMix64) -> SeasonOutcomes<'_> {
        let (mut won, mut thresholds_won, mut point) = (0, 0, 1);
        for pair in self.games.chunks(2) {
            let bits = generator.bits();
            for (game, number) in pair.iter().zip([bits >> (64 - BITS), bits & ((1 << BITS) - 1)]) {
                let is_won = u32::from(number < u64::from(game.threshold));
                won += is_won;
                thresholds_won += u64::from(is_won * game.threshold);
                self.points[point].won = won;
                point += usize::from(game.closes);
            }
        }
        SeasonOutcomes { season: self, thresholds_won }
    }
}

impl<'a> SeasonOutcomes<'a> {
    /// Returns the cumulative numbers of games and wins after the games of each probability.
    pub fn points(self) -> &'a [Point] {
        &self.season.points
    }

    /// Returns the decrease of the Brier score by isotonic regression, summed over games, where `squared_rates` is
    /// the sum of the squared fitted rates: `Σ(p − y)² − Σ(q − y)² = Σp² − 2Σpy + Σq²`.
    pub fn miscalibration(self, squared_rates: f64) -> f64 {
        self.season.squared_chances - 2.0 * chance(self.thresholds_won) + squared_rates
    }

    /// Returns the calibration error in ten bins, summed over games.
    pub fn calibration_error(self) -> f64 {
        let mut won_before = 0;
        let error = |bin: &BinEnd| {
            let won = self.season.points[bin.point].won;
            (bin.expected - f64::from(won - std::mem::replace(&mut won_before, won))).abs()
        };
        self.season.bins.iter().map(error).sum()
    }
}

/// Converts a probability to a threshold: the number of random numbers below it. It is zero for 0, and includes all
/// for 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2³¹")]
fn threshold(probability: f64) -> u32 {
    (probability * f64::from(1_u32 << BITS)).round() as u32
}

/// Converts a sum of thresholds to a sum of probabilities.
#[expect(clippy::cast_precision_loss, reason = "exact up to two million games")]
fn chance(thresholds: u64) -> f64 {
    thresholds as f64 / f64::from(1_u32 << BITS)
}
