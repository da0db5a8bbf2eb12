use crate::SplitMix64;
use crate::bins::{BINS, place};
use crate::hull::Point;
use crate::pooled::Pooled;

/// Random bits that decide a game: two games to a number of the generator.
const BITS: u32 = 31;

/// A season to be drawn by its probabilities: its games in their order.
pub struct Season {
    games: Vec<Chance>,
    /// Before the first game, and after the last game of each probability.
    points: Vec<Point>,
    bins: Vec<BinEnd>,
    /// The sum over games of the square of their chance.
    squared_chances: f64,
}

/// One game's chance.
struct Chance {
    /// It is won if its random number is below.
    threshold: u32,
    /// One for the last game of a probability if another probability follows, else zero.
    closes: u8,
}

/// Where a bin ends among the points, and the sum of the chances in it.
struct BinEnd {
    point: usize,
    expected: f64,
}

/// A season as it was, or as it was drawn.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    season: &'a Season,
    /// The sum of the thresholds of games that were won.
    thresholds_won: u64,
}

impl Season {
    /// The season of these forecasts.
    pub fn of_forecasts(forecasts: &Pooled) -> Self {
        let mut points = vec![Point::default()];
        let mut games: Vec<Chance> = Vec::new();
        let mut bins: Vec<BinEnd> = (0..BINS).map(|_| BinEnd { point: 0, expected: 0.0 }).collect();
        for pool in forecasts.pools() {
            let threshold = threshold(pool.probability);
            games.extend((1..=pool.games).map(|game| Chance { threshold, closes: u8::from(game == pool.games) }));
            let last = points[points.len() - 1];
            points.push(Point { games: last.games + pool.games, won: 0 });
            let bin = &mut bins[place(pool.probability)];
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

    /// The season as it was, of the forecasts that it was made of.
    pub fn recorded(&mut self, forecasts: &Pooled) -> Drawn<'_> {
        let (mut won, mut thresholds_won) = (0, 0);
        for (point, pool) in self.points[1..].iter_mut().zip(forecasts.pools()) {
            won += pool.won;
            thresholds_won += u64::from(pool.won) * u64::from(threshold(pool.probability));
            point.won = won;
        }
        Drawn { season: self, thresholds_won }
    }

    /// The season drawn anew: each game is won with the chance that its probability gives it.
    pub fn draw(&mut self, generator: &mut SplitMix64) -> Drawn<'_> {
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
        Drawn { season: self, thresholds_won }
    }
}

impl<'a> Drawn<'a> {
    /// How many games had been won after the games of each probability.
    pub fn points(self) -> &'a [Point] {
        &self.season.points
    }

    /// How much of the Brier score isotonic regression takes away, summed over games, if its fitted rates have this sum of
    /// squares: `Σ(p − y)² − Σ(q − y)² = Σp² − 2Σpy + Σq²`.
    pub fn miscalibration(self, squared_rates: f64) -> f64 {
        self.season.squared_chances - 2.0 * chance(self.thresholds_won) + squared_rates
    }

    /// The calibration error in ten bins, summed over games.
    pub fn calibration_error(self) -> f64 {
        let mut won_before = 0;
        let error = |bin: &BinEnd| {
            let won = self.season.points[bin.point].won;
            (bin.expected - f64::from(won - std::mem::replace(&mut won_before, won))).abs()
        };
        self.season.bins.iter().map(error).sum()
    }
}

/// So many of the numbers that decide a game are below: all of them for 1, none for 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2³¹")]
fn threshold(probability: f64) -> u32 {
    (probability * f64::from(1_u32 << BITS)).round() as u32
}

/// What thresholds, added up, are as probabilities.
#[expect(clippy::cast_precision_loss, reason = "exact up to two million games")]
fn chance(thresholds: u64) -> f64 {
    thresholds as f64 / f64::from(1_u32 << BITS)
}
