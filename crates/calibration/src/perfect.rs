use crate::corp::Corp;
use crate::hull::{Hull, Point, height, squares};
use crate::interval::count;
use crate::pooled::Pooled;
use crate::quantile::central;
use crate::season::{Drawn, Season};
use crate::{Interval, MIN_GAMES, SplitMix64};

/// How often a perfect forecaster's season is drawn.
pub const PERFECT_DRAWS: usize = 1_000;

/// What the interval of a perfect forecaster's calibration error leaves out, and the band of a diagram.
const LEFT_OUT: f64 = 0.05;
const LEFT_OUT_OF_BAND: f64 = 0.1;

/// Two seasons whose miscalibration for a game is no further apart are miscalibrated alike: chances are rounded.
const ALIKE: f64 = 1e-9;

/// What figures come to by chance where a forecaster gives the same probabilities and each of them is right.
#[derive(Debug, Clone, PartialEq)]
pub struct PerfectForecaster {
    /// The share of seasons that are miscalibrated as much as the one that was, or more; the season that was among them.
    /// `None` below [`MIN_GAMES`] games.
    pub mcb_p: Option<f64>,
    /// The mean of the calibration error in ten bins.
    pub ece_mean: f64,
    /// Where 95 percent of these errors lie.
    pub ece: Interval,
    /// For each block of the season that was, where 90 percent of the rates lie that isotonic regression gives its games on
    /// average.
    pub bands: Vec<Interval>,
}

impl PerfectForecaster {
    /// Draws [`PERFECT_DRAWS`] seasons of the probabilities of forecasts whose decomposition is known.
    pub(crate) fn draw(forecasts: &Pooled, corp: &Corp, mut generator: SplitMix64) -> Option<Self> {
        let mut season = Season::of_forecasts(forecasts);
        let mut hull = Hull::default();
        let games = f64::from(forecasts.games());
        let mut regressed = |drawn: Drawn<'_>| {
            let corners = hull.below(drawn.points());
            let rates: Vec<_> = fitted(corners, corp).collect();
            (drawn.miscalibration(squares(corners)) / games, rates)
        };
        let (observed, _) = regressed(season.recorded(forecasts));
        let mut alike_or_worse = 0;
        let mut errors = Vec::with_capacity(PERFECT_DRAWS);
        let mut bands = vec![Vec::with_capacity(PERFECT_DRAWS); corp.blocks.len()];
        for _ in 0..PERFECT_DRAWS {
            let drawn = season.draw(&mut generator);
            errors.push(drawn.calibration_error() / games);
            let (miscalibration, rates) = regressed(drawn);
            alike_or_worse += usize::from(miscalibration >= observed - ALIKE);
            for (band, rate) in bands.iter_mut().zip(rates) {
                band.push(rate);
            }
        }
        Some(Self {
            mcb_p: (forecasts.games() >= MIN_GAMES).then(|| count(1 + alike_or_worse) / count(1 + PERFECT_DRAWS)),
            ece_mean: errors.iter().sum::<f64>() / count(PERFECT_DRAWS),
            ece: central(&mut errors, LEFT_OUT)?,
            bands: bands.iter_mut().map(|rates| central(rates, LEFT_OUT_OF_BAND)).collect::<Option<_>>()?,
        })
    }
}

/// The mean fitted rate of the games of each block.
fn fitted<'a>(corners: &'a [Point], corp: &'a Corp) -> impl Iterator<Item = f64> + 'a {
    let mut passed = 0;
    let mut reached = 0.0;
    corp.blocks.iter().map(move |block| {
        passed += block.games;
        let before = std::mem::replace(&mut reached, height(corners, passed));
        (reached - before) / f64::from(block.games)
    })
}
