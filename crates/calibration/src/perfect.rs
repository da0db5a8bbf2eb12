use crate::corp::{Corp, Hull, Point, Pooled, height, squares};
use crate::interval::{central, count};
use crate::season::{Season, SeasonOutcomes};
use crate::{Interval, MIN_GAMES, SplitMix64};

/// The number of simulated seasons of a perfect forecaster.
pub const PERFECT_DRAWS: usize = 1_000;

/// The shares outside the interval of the calibration error, and outside a band of the diagram.
const OUTSIDE_INTERVAL: f64 = 0.05;

const OUTSIDE_BAND: f64 = 0.1;

/// The tolerance for comparing miscalibration per game, because chances are rounded.
const MCB_TOLERANCE: f64 = 1e-9;

/// The distribution of figures for a perfect forecaster: one who gives the same probabilities, and whose every
/// probability is right.
#[derive(Debug, Clone, PartialEq)]
pub struct PerfectForecaster {
    /// The share of seasons whose miscalibration is equal to or higher than the recorded season's, which is counted
    /// too. `None` below [`MIN_GAMES`] games.
    pub mcb_p: Option<f64>,
    /// The mean of the calibration error in ten bins.
    pub ece_mean: f64,
    /// The 95 percent interval of these errors.
    pub ece: Interval,
    /// For each block of the recorded season, the 90 percent interval of the mean fitted rate of its games.
    pub bands: Vec<Interval>,
}

impl PerfectForecaster {
    /// Simulates [`PERFECT_DRAWS`] seasons from the probabilities of forecasts with the decomposition `corp`.
    pub(crate) fn draw(forecasts: &Pooled, corp: &Corp, mut generator: SplitMix64) -> Option<Self> {
        let mut season = Season::of_forecasts(forecasts);
        let mut hull = Hull::default();
        let games = f64::from(forecasts.games());
        let mut regressed = |drawn: SeasonOutcomes<'_>| {
            let corners = hull.below(drawn.points());
            let rates: Vec<_> = fitted(corners, corp).collect();
            (drawn.miscalibration(squares(corners)) / games, rates)
        };
        let (observed, _) = regressed(season.recorded(forecasts));
        let mut as_high_or_higher = 0;
        let mut errors = Vec::with_capacity(PERFECT_DRAWS);
        let mut bands = vec![Vec::with_capacity(PERFECT_DRAWS); corp.blocks.len()];
        for _ in 0..PERFECT_DRAWS {
            let drawn = season.draw(&mut generator);
            errors.push(drawn.calibration_error() / games);
            let (miscalibration, rates) = regressed(drawn);
            as_high_or_higher += usize::from(miscalibration >= observed - MCB_TOLERANCE);
            for (band, rate) in bands.iter_mut().zip(rates) {
                band.push(rate);
            }
        }
        Some(Self {
            mcb_p: (forecasts.games() >= MIN_GAMES).then(|| count(1 + as_high_or_higher) / count(1 + PERFECT_DRAWS)),
            ece_mean: errors.iter().sum::<f64>() / count(PERFECT_DRAWS),
            ece: central(&mut errors, OUTSIDE_INTERVAL)?,
            bands: bands.iter_mut().map(|rates| central(rates, OUTSIDE_BAND)).collect::<Option<_>>()?,
        })
    }
}

/// Returns the mean fitted rate of each block's games.
fn fitted<'a>(corners: &'a [Point], corp: &'a Corp) -> impl Iterator<Item = f64> + 'a {
    let mut passed = 0;
    let mut reached = 0.0;
    corp.blocks.iter().map(move |block| {
        passed += block.games;
        let before = std::mem::replace(&mut reached, height(corners, passed));
        (reached - before) / f64::from(block.games)
    })
}
