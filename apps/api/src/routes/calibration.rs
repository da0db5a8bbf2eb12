//! Calibration of the models' probabilities, alone and against the market's.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_calibration::{Bin, Block, Calibration, DatedMean, Interval, Picks, Scores};
use sports_domain::Market;
use sports_publication::ForecastSource;
use sports_usecases::analytics::{CalibratedModel, Horizon, SeasonCalibration, SourceCalibration};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Json};
use crate::auth::Subscriber;
use crate::codes::{
    CalibrationHorizonCode, CalibrationSampleCode, CalibrationSourceCode, CalibrationVerdictCode, Code, ModelNameCode,
    ModelTypeCode, SportCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FromParams, ModelsQuery, MomentQuery, ParamReader, Params, SeasonQuery, date_span};
use crate::paths::{MarketPath, Path};
use crate::state::State;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_calibration));
}

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

/// The span of dates and the source of forecasts of a calibration.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CalibrationQuery {
    /// The first date that counts, Eastern; the season's first if absent.
    #[param(value_type = Option<chrono::NaiveDate>)]
    pub from: Option<chrono::NaiveDate>,
    /// The last date that counts, Eastern; the season's last if absent.
    #[param(value_type = Option<chrono::NaiveDate>)]
    pub to: Option<chrono::NaiveDate>,
    /// The only source of forecasts to include; every source has its own entry if absent.
    #[param(value_type = Option<CalibrationSourceCode>)]
    pub forecast_source: Option<ForecastSource>,
    /// The instant of the live forecasts to score, which are then the only entry: `24h`, `6h` or `1h` before the start of each
    /// game, the `first` forecast of each model, or the `standing` one. Each is judged by the line served with it.
    #[param(value_type = Option<CalibrationHorizonCode>)]
    pub horizon: Option<Horizon>,
}

impl FromParams for CalibrationQuery {
    const TAKES: &'static [&'static str] = &["from", "to", "forecast_source", "horizon"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let forecast_source = params.parsed("forecast_source")?;
        let horizon = params.read("horizon", "first, 24h, 6h, 1h or standing", Horizon::named)?;
        if horizon.is_some() && forecast_source == Some(ForecastSource::WalkForward) {
            return Err(ApiError::BadRequest("`horizon` applies to live forecasts only".to_owned()));
        }
        Ok(Self { from: params.date("from")?, to: params.date("to")?, forecast_source, horizon })
    }
}

/// The parameters of the operation.
type Query = (SeasonQuery, (CalibrationQuery, (ModelsQuery, MomentQuery)));

/// The calibration of a market's models in one season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarketCalibration)]
pub struct CalibrationResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// The version of the season: as in its results. It seeds the random draws, so equal snapshots have equal
    /// figures.
    #[schema(example = "8d3c1f0a9b7e6254")]
    snapshot: String,
    /// The first date that counts; null if the request has no `from`.
    #[schema(required, value_type = Option<NaiveDate>)]
    from: Option<NaiveDate>,
    /// The last date that counts; null if the request has no `to`.
    #[schema(required, value_type = Option<NaiveDate>)]
    to: Option<NaiveDate>,
    /// The time at which the season was published.
    last_updated: DateTime<Utc>,
    /// One entry for each source that the season has forecasts from. Live and reconstructed forecasts are never pooled.
    sources: Vec<CalibrationSource>,
}

/// The models whose forecasts come from one source.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalibrationSource {
    /// The source of the forecasts.
    forecast_source: CalibrationSourceCode,
    /// The instant of the forecasts; absent without `horizon`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    horizon: Option<CalibrationHorizonCode>,
    /// With a `horizon` but `standing`: live games whose forecast no release of this log made, such as imported ones. They
    /// have no history and are in no sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 5)]
    not_recorded_here: Option<u32>,
    /// One entry for each model with a probability in the season, in the order of the model columns, then of
    /// declaration.
    models: Vec<CalibrationModelItem>,
}

impl From<SeasonCalibration> for CalibrationResponse {
    fn from(SeasonCalibration { season, snapshot, span, sources }: SeasonCalibration) -> Self {
        let market = season.archive.market;
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            snapshot: snapshot.to_string(),
            from: span.from(),
            to: span.to(),
            last_updated: season.published_at,
            sources: sources.iter().map(CalibrationSource::from).collect(),
        }
    }
}

impl From<&SourceCalibration> for CalibrationSource {
    fn from(SourceCalibration { source, horizon, not_recorded_here, models }: &SourceCalibration) -> Self {
        Self {
            forecast_source: Code(*source),
            horizon: horizon.map(Code),
            not_recorded_here: *not_recorded_here,
            models: models.iter().map(CalibrationModelItem::from).collect(),
        }
    }
}

/// Show whether probabilities were right
///
/// For each model, in a season (the latest without `season`): its Brier score and log loss, a reliability diagram with
/// its band, and the decompositions of the Brier score. Its win rate is given beside the rate that breaks even. The market's own no-vig probability is scored
/// on the same games, with the probability that such a difference is due to chance.
///
/// To read a reliability diagram: each block is a range of probabilities (`p_min` to `p_max`) and the share of its
/// games that the positive side won (`rate`). On the diagonal the probabilities are right. Below it the model is too
/// sure of the positive side, above it not sure enough. A rate between `band_low` and `band_high` is within the range
/// that a perfect forecaster would have nine times of ten, by luck.
///
/// One season rarely proves anything. To distinguish two models whose Brier scores differ by 0.002 takes thousands of
/// games. A season has a few hundred or thousand, and those of one date share their luck. So each difference comes
/// with an interval and a p-value. The p-values of the models of a market are corrected for multiple tests. The
/// verdict is `undecided` where chance could explain the difference. A model that is closer than the market's
/// probability need not be worth betting on: prices include the bookmaker's margin, and other seasons may differ.
///
/// With `horizon` the live forecasts of some time before the start are scored. Each is judged by the line and the prices
/// served with it, so the outcome of a game may differ between horizons.
#[utoipa::path(
    get, path = "/api/v1/calibration/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, CalibrationQuery, ModelsQuery, MomentQuery),
    responses(
        (status = 200, description = "The calibration of each model", body = CalibrationResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("calibration/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_calibration(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (query, (ModelsQuery { models }, moment))))) = (path, params);
    let span = date_span(query.from, query.to)?;
    let at = moments.at(market.sport, &moment).await?;
    let question = if let Some(horizon) = query.horizon {
        at.query(state.published.analytics.calibration_at(at.moment(), market, season, (span, horizon), models)).await?
    } else {
        let question =
            state.published.analytics.calibration(at.moment(), market, season, span, query.forecast_source, models);
        at.query(question).await?
    };
    answer.graded().at(&at).respond_to(question, |answer| Json(CalibrationResponse::from(answer))).await
}
