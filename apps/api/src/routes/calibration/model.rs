use serde::Serialize;
use sports_calibration::{Bin, Block, Interval, Picks, Scores};
use sports_usecases::analytics::CalibratedModel;
use utoipa::ToSchema;

use super::market::CalibrationMarket;
use crate::codes::{CalibrationSampleCode, CalibrationVerdictCode, Code, ModelNameCode};

/// The calibration of one model. Numbers are not rounded, so that the terms of a decomposition add up; a figure that
/// does not exist is null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CalibrationModel)]
pub struct CalibrationModelItem {
    /// The model.
    model: ModelNameCode,
    /// Games with a final, a line, no push and this model's probability: the sample of its own figures.
    #[schema(example = 285)]
    games: u32,
    /// With a `horizon` but `standing`: games of the standing forecasts without a probability of the model then. It was not
    /// forecast yet, or a later file had dropped or withdrawn it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 12)]
    no_forecast_then: Option<u32>,
    /// The size of the sample.
    sample: CalibrationSampleCode,
    /// The Brier score, the mean of (p − y)²: 0 is best, one half for every game scores 0.25. Null without a game.
    #[schema(required, example = 0.220_7)]
    brier: Option<f64>,
    /// The log loss, the mean of −ln of the probability given to what happened: 0 is best, one half for every game scores
    /// 0.693. Null without a game.
    #[schema(required, example = 0.632)]
    log_loss: Option<f64>,
    /// Games whose probability was below 0.000001 or above 0.999999 and was clipped to that bound for the log loss.
    #[schema(example = 0)]
    clipped: u32,
    /// The decomposition of the Brier score by isotonic regression: `mcb − dsc + unc` is the score.
    corp: CalibrationCorp,
    /// The blocks of that regression, to be drawn as steps; on the diagonal probabilities are right.
    reliability_diagram: Vec<CalibrationBlock>,
    /// The decomposition of the Brier score in ten bins: `rel − res + unc + wbv − wbc` is the score.
    murphy: CalibrationMurphy,
    /// The mean distance of probabilities from rates in the ten bins. Compare it with `ece10_if_perfect`: by chance
    /// alone it is above zero. Null without a game.
    #[schema(required, example = 0.073_3)]
    ece10: Option<f64>,
    /// The value of `ece10` by chance if each probability were right.
    ece10_if_perfect: CalibrationIfPerfect,
    /// The model's picks.
    picks: CalibrationPicks,
    /// The model against the market.
    market: CalibrationMarket,
    /// The comparison of the model's probabilities with the market's: which were closer to what happened.
    verdict: CalibrationVerdictCode,
    /// The verdict as a sentence. It is about these games alone, and predicts nothing about others.
    verdict_in_words: String,
}

/// The terms of the CORP decomposition of a Brier score; null without a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationCorp {
    /// Miscalibration: the part of the score that recalibration would remove. Zero is best.
    #[schema(required, example = 0.014_1)]
    mcb: Option<f64>,
    /// Discrimination: the improvement over giving every game the same rate. More is better.
    #[schema(required, example = 0.039_2)]
    dsc: Option<f64>,
    /// Uncertainty: the score of one rate for all games.
    #[schema(required, example = 0.245_8)]
    unc: Option<f64>,
    /// The share of 1,000 drawn seasons in which a perfect forecaster with the same probabilities is miscalibrated as
    /// much or more; null below 30 games.
    #[schema(required, example = 0.4)]
    mcb_p: Option<f64>,
}

/// A range of probabilities that isotonic regression treats as equally reliable.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationBlock {
    /// The lowest probability of the block.
    #[schema(example = 0.2)]
    p_min: f64,
    /// The highest probability of the block.
    #[schema(example = 0.3)]
    p_max: f64,
    /// The number of games in the block.
    #[schema(example = 30)]
    games: u32,
    /// The share of these games that the positive side won.
    #[schema(example = 0.25)]
    rate: f64,
    /// The low end of the band, which contains the mean rate of these games in 90 percent of a perfect forecaster's
    /// drawn seasons.
    #[schema(example = 0.1)]
    band_low: f64,
    /// The high end of the band.
    #[schema(example = 0.4)]
    band_high: f64,
}

/// The terms of Murphy's decomposition; null without a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationMurphy {
    /// Reliability: the mean squared distance of bins' probabilities from their rates.
    #[schema(required, example = 0.007_5)]
    rel: Option<f64>,
    /// Resolution: the mean squared distance of bins' rates from the rate of all games.
    #[schema(required, example = 0.031)]
    res: Option<f64>,
    /// Uncertainty: the score of one rate for all games.
    #[schema(required, example = 0.245_8)]
    unc: Option<f64>,
    /// The variance of probabilities within bins.
    #[schema(required, example = 0.000_8)]
    wbv: Option<f64>,
    /// Twice the covariance of probabilities and outcomes within bins.
    #[schema(required, example = 0.002_4)]
    wbc: Option<f64>,
    /// All ten bins; empty without a game.
    bins: Vec<CalibrationBin>,
}

/// The games whose probability is in one tenth.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationBin {
    /// The lower edge, which is part of the bin.
    #[schema(example = 0.0)]
    from: f64,
    /// The upper edge, which is part of the next bin; 1 is part of the last bin.
    #[schema(example = 0.1)]
    to: f64,
    /// The bin's games.
    #[schema(example = 3)]
    games: u32,
    /// The mean of their probabilities; null without a game.
    #[schema(required, example = 0.08)]
    mean_p: Option<f64>,
    /// The share of these games that the positive side won; null without a game.
    #[schema(required, example = 0.0)]
    rate: Option<f64>,
    /// True if there are fewer than 10 games.
    thin: bool,
}

/// A figure by chance alone, over 1,000 drawn seasons in which each probability is right; null without a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationIfPerfect {
    /// The mean of the figure.
    #[schema(required, example = 0.057_2)]
    mean: Option<f64>,
    /// The low end of the interval that contains the figure in 95 percent of the seasons.
    #[schema(required, example = 0.029)]
    low: Option<f64>,
    /// The high end of that interval.
    #[schema(required, example = 0.091)]
    high: Option<f64>,
}

/// The sides to which a model gave more than one half.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationPicks {
    /// Picks that won.
    #[schema(example = 195)]
    wins: u32,
    /// Picks that lost.
    #[schema(example = 90)]
    losses: u32,
    /// Wins divided by picks; null without a pick.
    #[schema(required, example = 0.684_21)]
    rate: Option<f64>,
    /// The low end of the rate's 95 percent Wilson interval.
    #[schema(required, example = 0.628_1)]
    wilson_low: Option<f64>,
    /// The high end of that interval.
    #[schema(required, example = 0.735_4)]
    wilson_high: Option<f64>,
    /// The rate at which the picks with a recorded price break even: the mean of 1 / decimal odds. Null without such
    /// a pick.
    #[schema(required, example = 0.66)]
    break_even: Option<f64>,
    /// The profit of one unit on each of these picks, for each unit staked; null without such a pick.
    #[schema(required, example = 0.01)]
    roi: Option<f64>,
    /// The low end of the 95 percent bootstrap interval of `roi` over dates; null below two dates.
    #[schema(required, example = -0.08)]
    roi_low: Option<f64>,
    /// The high end of that interval.
    #[schema(required, example = 0.1)]
    roi_high: Option<f64>,
}

impl From<&CalibratedModel> for CalibrationModelItem {
    fn from(CalibratedModel { model, calibration, no_forecast_then }: &CalibratedModel) -> Self {
        let scores = calibration.scores.as_ref();
        Self {
            model: Code(*model),
            games: calibration.games,
            no_forecast_then: *no_forecast_then,
            sample: Code(calibration.sample()),
            brier: scores.map(|scores| scores.brier),
            log_loss: scores.map(|scores| scores.log_loss),
            clipped: scores.map_or(0, |scores| scores.clipped),
            corp: CalibrationCorp::from_scores(scores),
            reliability_diagram: scores.map_or_else(Vec::new, diagram),
            murphy: CalibrationMurphy::from_scores(scores),
            ece10: scores.map(|scores| scores.ece10),
            ece10_if_perfect: CalibrationIfPerfect {
                mean: scores.map(|scores| scores.perfect.ece_mean),
                low: scores.map(|scores| scores.perfect.ece.low),
                high: scores.map(|scores| scores.perfect.ece.high),
            },
            picks: CalibrationPicks::from(calibration.picks),
            market: CalibrationMarket::from_calibration(calibration),
            verdict: Code(calibration.verdict),
            verdict_in_words: calibration.verdict.in_words(calibration.market.as_ref()),
        }
    }
}

fn diagram(scores: &Scores) -> Vec<CalibrationBlock> {
    scores.corp.blocks.iter().zip(&scores.perfect.bands).map(CalibrationBlock::from).collect()
}

impl From<(&Block, &Interval)> for CalibrationBlock {
    fn from((block, band): (&Block, &Interval)) -> Self {
        let Block { p_min, p_max, games, .. } = *block;
        Self { p_min, p_max, games, rate: block.rate(), band_low: band.low, band_high: band.high }
    }
}

impl CalibrationCorp {
    fn from_scores(scores: Option<&Scores>) -> Self {
        Self {
            mcb: scores.map(|scores| scores.corp.mcb),
            dsc: scores.map(|scores| scores.corp.dsc),
            unc: scores.map(|scores| scores.corp.unc),
            mcb_p: scores.and_then(|scores| scores.perfect.mcb_p),
        }
    }
}

impl CalibrationMurphy {
    fn from_scores(scores: Option<&Scores>) -> Self {
        let terms = scores.map(|scores| scores.murphy);
        Self {
            rel: terms.map(|terms| terms.rel),
            res: terms.map(|terms| terms.res),
            unc: terms.map(|terms| terms.unc),
            wbv: terms.map(|terms| terms.wbv),
            wbc: terms.map(|terms| terms.wbc),
            bins: scores.map_or_else(Vec::new, |scores| scores.bins.iter().map(CalibrationBin::from).collect()),
        }
    }
}

impl From<&Bin> for CalibrationBin {
    fn from(bin: &Bin) -> Self {
        let Bin { from, to, games, mean_p, rate } = *bin;
        Self { from, to, games, mean_p, rate, thin: bin.is_thin() }
    }
}

impl From<Picks> for CalibrationPicks {
    fn from(picks: Picks) -> Self {
        let Picks { wins, losses, rate, wilson, break_even, roi, roi_interval } = picks;
        Self {
            wins,
            losses,
            rate,
            wilson_low: wilson.map(|interval| interval.low),
            wilson_high: wilson.map(|interval| interval.high),
            break_even,
            roi,
            roi_low: roi_interval.map(|interval| interval.low),
            roi_high: roi_interval.map(|interval| interval.high),
        }
    }
}
