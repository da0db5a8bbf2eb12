use serde::Serialize;
use sports_calibration::{Calibration, DatedMean};
use utoipa::ToSchema;

/// A model against the market, over the games that have both probabilities.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationMarket {
    /// Games with the model's probability and the market's.
    #[schema(example = 285)]
    games: u32,
    /// The market's own scores over these games.
    implied: CalibrationImplied,
    /// 1 − the model's Brier score / the market's, over these games: above zero the model's is better. Null without a game.
    #[schema(required, example = -0.009_4)]
    skill: Option<f64>,
    /// The model's squared errors less the market's.
    brier: CalibrationBrierDifference,
    /// The model's log losses less the market's. Its p-value is uncorrected, and the verdict does not depend on it.
    log_loss: CalibrationDifference,
}

/// The scores of the market's no-vig probability.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationImplied {
    /// Its Brier score; null without a game.
    #[schema(required, example = 0.218_64)]
    brier: Option<f64>,
    /// Its log loss; null without a game.
    #[schema(required, example = 0.627_3)]
    log_loss: Option<f64>,
}

/// The mean difference a game, below zero where the model is closer to what happened. The games of a date are one
/// cluster.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationDifference {
    /// The mean difference; null without a game.
    #[schema(required, example = 0.002_06)]
    difference: Option<f64>,
    /// Its standard error; null below two dates.
    #[schema(required, example = 0.002_31)]
    se: Option<f64>,
    /// The difference in standard errors; null without one, or where every date has the same difference.
    #[schema(required, example = 0.89)]
    t: Option<f64>,
    /// The p-value of `t` by Student's distribution with one degree of freedom less than there are dates; null without `t`, and
    /// below 30 games with both probabilities.
    #[schema(required, example = 0.375)]
    p: Option<f64>,
    /// The low end of the 95 percent bootstrap interval over dates; null below two dates.
    #[schema(required, example = -0.002_6)]
    low: Option<f64>,
    /// The high end of that interval.
    #[schema(required, example = 0.006_8)]
    high: Option<f64>,
}

/// The difference of squared errors, which decides the verdict.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationBrierDifference {
    #[serde(flatten)]
    difference: CalibrationDifference,
    /// The p-value after Holm's correction over the models of this market and forecast source with 30 games or more; null
    /// without `p`.
    #[schema(required, example = 1.0)]
    p_holm: Option<f64>,
    /// The number of dates on which these games were played.
    #[schema(example = 63)]
    dates: usize,
}

impl CalibrationMarket {
    /// Converts the comparison with the market; figures that do not exist are null.
    pub fn from_calibration(calibration: &Calibration) -> Self {
        let market = calibration.market.as_ref();
        Self {
            games: market.map_or(0, |market| market.games),
            implied: CalibrationImplied {
                brier: market.map(|market| market.implied_brier),
                log_loss: market.map(|market| market.implied_log_loss),
            },
            skill: market.and_then(|market| market.skill),
            brier: CalibrationBrierDifference {
                difference: CalibrationDifference::from_difference(market.map(|market| market.brier)),
                p_holm: calibration.p_holm,
                dates: market.map_or(0, |market| market.dates),
            },
            log_loss: CalibrationDifference::from_difference(market.map(|market| market.log_loss)),
        }
    }
}

impl CalibrationDifference {
    fn from_difference(difference: Option<DatedMean>) -> Self {
        let interval = difference.and_then(|difference| difference.interval);
        Self {
            difference: difference.map(|difference| difference.mean),
            se: difference.and_then(|difference| difference.se),
            t: difference.and_then(|difference| difference.t),
            p: difference.and_then(|difference| difference.p),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}
