//! Calibration of the models' probabilities, alone and against the market's.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use sports_calibration::{Bin, Block, Calibration, DatedMean, Interval, Picks, Scores};
use sports_domain::Market;
use sports_publication::{CountedForecasts, ForecastSource};
use sports_usecases::analytics::{CalibratedModel, Horizon, SeasonCalibration, SourceCalibration};
use utoipa_actix_web::service_config::ServiceConfig;

use super::model_tracking::ForecastGames;
use crate::answer::{Answer, Json};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{
    CalibrationHorizonCode, CalibrationSampleCode, CalibrationSourceCode, CalibrationVerdictCode, Code,
    CountedForecastsCode, ModelNameCode, ModelTypeCode, SportCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{Given, ModelsQuery, MomentQuery, Params, SeasonQuery, date_span};
use crate::paths::{MarketPath, Path};
use crate::query_params;
use crate::state::State;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_calibration));
}

wire! {
    /// A model against the market, over the games that have both probabilities.
    pub struct CalibrationMarket(calibration: &Calibration) {
        let market = calibration.market.as_ref();

        /// Games with the model's probability and the market's.
        #[schema(example = 285)]
        games: u32 = market.map_or(0, |market| market.games),
        /// The market's own scores over these games.
        implied: CalibrationImplied = CalibrationImplied::new(calibration),
        /// 1 − the model's Brier score / the market's, over these games: above zero the model's is better. Null without a game.
        #[schema(required, example = -0.009_4)]
        skill: Option<f64> = market.and_then(|market| market.skill),
        /// The model's squared errors less the market's.
        brier: CalibrationBrierDifference = CalibrationBrierDifference::new(calibration),
        /// The model's log losses less the market's. Its p-value is uncorrected, and the verdict does not depend on it.
        log_loss: CalibrationDifference = CalibrationDifference::new(market.map(|market| market.log_loss)),
    }
}

wire! {
    /// The scores of the market's no-vig probability.
    pub struct CalibrationImplied(calibration: &Calibration) {
        let market = calibration.market.as_ref();

        /// Its Brier score; null without a game.
        #[schema(required, example = 0.218_64)]
        brier: Option<f64> = market.map(|market| market.implied_brier),
        /// Its log loss; null without a game.
        #[schema(required, example = 0.627_3)]
        log_loss: Option<f64> = market.map(|market| market.implied_log_loss),
    }
}

wire! {
    /// The mean difference a game, below zero where the model is closer to what happened. The games of a date are one
    /// cluster.
    pub struct CalibrationDifference(difference: Option<DatedMean>) {
        let interval = difference.and_then(|difference| difference.interval);

        /// The mean difference; null without a game.
        #[schema(required, example = 0.002_06)]
        difference: Option<f64> = difference.map(|difference| difference.mean),
        /// Its standard error; null below two dates.
        #[schema(required, example = 0.002_31)]
        se: Option<f64> = difference.and_then(|difference| difference.se),
        /// The difference in standard errors; null without one, or where every date has the same difference.
        #[schema(required, example = 0.89)]
        t: Option<f64> = difference.and_then(|difference| difference.t),
        /// The p-value of `t` by Student's distribution with one degree of freedom less than there are dates; null without `t`, and
        /// below 30 games with both probabilities.
        #[schema(required, example = 0.375)]
        p: Option<f64> = difference.and_then(|difference| difference.p),
        /// The low end of the 95 percent bootstrap interval over dates; null below two dates.
        #[schema(required, example = -0.002_6)]
        low: Option<f64> = interval.map(|interval| interval.low),
        /// The high end of that interval.
        #[schema(required, example = 0.006_8)]
        high: Option<f64> = interval.map(|interval| interval.high),
    }
}

wire! {
    /// The difference of squared errors, which decides the verdict.
    pub struct CalibrationBrierDifference(calibration: &Calibration) {
        let market = calibration.market.as_ref();

        #[serde(flatten)]
        difference: CalibrationDifference = CalibrationDifference::new(market.map(|market| market.brier)),
        /// The p-value after Holm's correction over the models of this market and forecast source with 30 games or more; null
        /// without `p`.
        #[schema(required, example = 1.0)]
        p_holm: Option<f64> = calibration.p_holm,
        /// The number of dates on which these games were played.
        #[schema(example = 63)]
        dates: usize = market.map_or(0, |market| market.dates),
    }
}

wire! {
    /// The calibration of one model. Numbers are not rounded, so that the terms of a decomposition add up; a figure that
    /// does not exist is null.
    #[schema(as = CalibrationModel)]
    pub struct CalibrationModelItem(source: &CalibratedModel) {
        let CalibratedModel { model, calibration, no_forecast_then } = source;
        let scores = calibration.scores.as_ref();

        /// The model.
        model: ModelNameCode = Code(*model),
        /// Games with a final, a line, no push and this model's probability: the sample of its own figures.
        #[schema(example = 285)]
        games: u32 = calibration.games,
        /// With a `horizon` but `standing`: games of the standing forecasts without a probability of the model then. It was not
        /// forecast yet, or a later file had dropped or withdrawn it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = 12)]
        no_forecast_then: Option<u32> = *no_forecast_then,
        /// The size of the sample.
        sample: CalibrationSampleCode = Code(calibration.sample()),
        /// The Brier score, the mean of (p − y)²: 0 is best, one half for every game scores 0.25. Null without a game.
        #[schema(required, example = 0.220_7)]
        brier: Option<f64> = scores.map(|scores| scores.brier),
        /// The log loss, the mean of −ln of the probability given to what happened: 0 is best, one half for every game scores
        /// 0.693. Null without a game.
        #[schema(required, example = 0.632)]
        log_loss: Option<f64> = scores.map(|scores| scores.log_loss),
        /// Games whose probability was below 0.000001 or above 0.999999 and was clipped to that bound for the log loss.
        #[schema(example = 0)]
        clipped: u32 = scores.map_or(0, |scores| scores.clipped),
        /// The decomposition of the Brier score by isotonic regression: `mcb − dsc + unc` is the score.
        corp: CalibrationCorp = CalibrationCorp::new(scores),
        /// The blocks of that regression, to be drawn as steps; on the diagonal probabilities are right.
        reliability_diagram: Vec<CalibrationBlock> = scores.map_or_else(Vec::new, diagram),
        /// The decomposition of the Brier score in ten bins: `rel − res + unc + wbv − wbc` is the score.
        murphy: CalibrationMurphy = CalibrationMurphy::new(scores),
        /// The mean distance of probabilities from rates in the ten bins. Compare it with `ece10_if_perfect`: by chance
        /// alone it is above zero. Null without a game.
        #[schema(required, example = 0.073_3)]
        ece10: Option<f64> = scores.map(|scores| scores.ece10),
        /// The value of `ece10` by chance if each probability were right.
        ece10_if_perfect: CalibrationIfPerfect = CalibrationIfPerfect::new(scores),
        /// The model's picks.
        picks: CalibrationPicks = CalibrationPicks::new(calibration.picks),
        /// The model against the market.
        market: CalibrationMarket = CalibrationMarket::new(calibration),
        /// The comparison of the model's probabilities with the market's: which were closer to what happened.
        verdict: CalibrationVerdictCode = Code(calibration.verdict),
        /// The verdict as a sentence. It is about these games alone, and predicts nothing about others.
        verdict_in_words: String = calibration.verdict.in_words(calibration.market.as_ref()),
    }
}

wire! {
    /// The terms of the CORP decomposition of a Brier score; null without a game.
    pub struct CalibrationCorp(scores: Option<&Scores>) {
        /// Miscalibration: the part of the score that recalibration would remove. Zero is best.
        #[schema(required, example = 0.014_1)]
        mcb: Option<f64> = scores.map(|scores| scores.corp.mcb),
        /// Discrimination: the improvement over giving every game the same rate. More is better.
        #[schema(required, example = 0.039_2)]
        dsc: Option<f64> = scores.map(|scores| scores.corp.dsc),
        /// Uncertainty: the score of one rate for all games.
        #[schema(required, example = 0.245_8)]
        unc: Option<f64> = scores.map(|scores| scores.corp.unc),
        /// The share of 1,000 drawn seasons in which a perfect forecaster with the same probabilities is miscalibrated as
        /// much or more; null below 30 games.
        #[schema(required, example = 0.4)]
        mcb_p: Option<f64> = scores.and_then(|scores| scores.perfect.mcb_p),
    }
}

wire! {
    /// A range of probabilities that isotonic regression treats as equally reliable.
    pub struct CalibrationBlock(interval: (&Block, &Interval)) {
        let (block, band) = interval;
        let Block { p_min, p_max, games, .. } = *block;

        /// The lowest probability of the block.
        #[schema(example = 0.2)]
        p_min: f64 = p_min,
        /// The highest probability of the block.
        #[schema(example = 0.3)]
        p_max: f64 = p_max,
        /// The number of games in the block.
        #[schema(example = 30)]
        games: u32 = games,
        /// The share of these games that the positive side won.
        #[schema(example = 0.25)]
        rate: f64 = block.rate(),
        /// The low end of the band, which contains the mean rate of these games in 90 percent of a perfect forecaster's
        /// drawn seasons.
        #[schema(example = 0.1)]
        band_low: f64 = band.low,
        /// The high end of the band.
        #[schema(example = 0.4)]
        band_high: f64 = band.high,
    }
}

wire! {
    /// The terms of Murphy's decomposition; null without a game.
    pub struct CalibrationMurphy(scores: Option<&Scores>) {
        let terms = scores.map(|scores| scores.murphy);

        /// Reliability: the mean squared distance of bins' probabilities from their rates.
        #[schema(required, example = 0.007_5)]
        rel: Option<f64> = terms.map(|terms| terms.rel),
        /// Resolution: the mean squared distance of bins' rates from the rate of all games.
        #[schema(required, example = 0.031)]
        res: Option<f64> = terms.map(|terms| terms.res),
        /// Uncertainty: the score of one rate for all games.
        #[schema(required, example = 0.245_8)]
        unc: Option<f64> = terms.map(|terms| terms.unc),
        /// The variance of probabilities within bins.
        #[schema(required, example = 0.000_8)]
        wbv: Option<f64> = terms.map(|terms| terms.wbv),
        /// Twice the covariance of probabilities and outcomes within bins.
        #[schema(required, example = 0.002_4)]
        wbc: Option<f64> = terms.map(|terms| terms.wbc),
        /// All ten bins; empty without a game.
        bins: Vec<CalibrationBin> =
            scores.map_or_else(Vec::new, |scores| scores.bins.iter().map(CalibrationBin::new).collect()),
    }
}

wire! {
    /// The games whose probability is in one tenth.
    pub struct CalibrationBin(bin: &Bin) {
        let Bin { from, to, games, mean_p, rate } = *bin;

        /// The lower edge, which is part of the bin.
        #[schema(example = 0.0)]
        from: f64 = from,
        /// The upper edge, which is part of the next bin; 1 is part of the last bin.
        #[schema(example = 0.1)]
        to: f64 = to,
        /// The bin's games.
        #[schema(example = 3)]
        games: u32 = games,
        /// The mean of their probabilities; null without a game.
        #[schema(required, example = 0.08)]
        mean_p: Option<f64> = mean_p,
        /// The share of these games that the positive side won; null without a game.
        #[schema(required, example = 0.0)]
        rate: Option<f64> = rate,
        /// True if there are fewer than 10 games.
        thin: bool = bin.is_thin(),
    }
}

wire! {
    /// A figure by chance alone, over 1,000 drawn seasons in which each probability is right; null without a game.
    pub struct CalibrationIfPerfect(scores: Option<&Scores>) {
        /// The mean of the figure.
        #[schema(required, example = 0.057_2)]
        mean: Option<f64> = scores.map(|scores| scores.perfect.ece_mean),
        /// The low end of the interval that contains the figure in 95 percent of the seasons.
        #[schema(required, example = 0.029)]
        low: Option<f64> = scores.map(|scores| scores.perfect.ece.low),
        /// The high end of that interval.
        #[schema(required, example = 0.091)]
        high: Option<f64> = scores.map(|scores| scores.perfect.ece.high),
    }
}

wire! {
    /// The sides to which a model gave more than one half.
    pub struct CalibrationPicks(picks: Picks) {
        let Picks { wins, losses, rate, wilson, break_even, roi, roi_interval } = picks;

        /// Picks that won.
        #[schema(example = 195)]
        wins: u32 = wins,
        /// Picks that lost.
        #[schema(example = 90)]
        losses: u32 = losses,
        /// Wins divided by picks; null without a pick.
        #[schema(required, example = 0.684_21)]
        rate: Option<f64> = rate,
        /// The low end of the rate's 95 percent Wilson interval.
        #[schema(required, example = 0.628_1)]
        wilson_low: Option<f64> = wilson.map(|interval| interval.low),
        /// The high end of that interval.
        #[schema(required, example = 0.735_4)]
        wilson_high: Option<f64> = wilson.map(|interval| interval.high),
        /// The rate at which the picks with a recorded price break even: the mean of 1 / decimal odds. Null without such
        /// a pick.
        #[schema(required, example = 0.66)]
        break_even: Option<f64> = break_even,
        /// The profit of one unit on each of these picks, for each unit staked: the return of following the model; null without
        /// such a pick. [Which ROI is which](docs/analytics.md#which-roi-is-which).
        #[schema(required, example = 0.01)]
        roi: Option<f64> = roi,
        /// The low end of the 95 percent bootstrap interval of `roi` over dates; null below two dates.
        #[schema(required, example = -0.08)]
        roi_low: Option<f64> = roi_interval.map(|interval| interval.low),
        /// The high end of that interval.
        #[schema(required, example = 0.1)]
        roi_high: Option<f64> = roi_interval.map(|interval| interval.high),
    }
}

fn diagram(scores: &Scores) -> Vec<CalibrationBlock> {
    scores.corp.blocks.iter().zip(&scores.perfect.bands).map(CalibrationBlock::new).collect()
}

query_params! {
    /// The span of dates and the source of forecasts of a calibration.
    #[derive(Debug)]
    pub struct CalibrationQuery {
        /// The first date that counts, Eastern; the season's first if absent.
        #[param(value_type = Option<chrono::NaiveDate>)]
        pub from: Option<chrono::NaiveDate> = Given::date,
        /// The last date that counts, Eastern; the season's last if absent.
        #[param(value_type = Option<chrono::NaiveDate>)]
        pub to: Option<chrono::NaiveDate> = Given::date,
        /// The only forecasts to include: `live`, `walk_forward`, or the live ones that this log published before the start
        /// (`recorded`), as an entry of `live`. Both sources have an entry of their own if absent.
        #[param(value_type = Option<CountedForecastsCode>)]
        pub forecast_source: Option<CountedForecasts> = Given::parsed; first,
        /// The instant of the live forecasts to score, which are then the only entry: `24h`, `6h` or `1h` before the start of each
        /// game, the `first` forecast of each model, or the `standing` one. Each is judged by the line served with it.
        #[param(value_type = Option<CalibrationHorizonCode>)]
        pub horizon: Option<Horizon> = |given| horizon(given, forecast_source); first,
    }
}

fn horizon(given: Given<'_>, counted: Option<CountedForecasts>) -> Result<Option<Horizon>, ApiError> {
    let horizon = given.parse("first, 24h, 6h, 1h or standing", Horizon::named)?;
    if horizon.is_some() && counted == Some(CountedForecasts::From(ForecastSource::WalkForward)) {
        return Err(ApiError::BadRequest("`horizon` applies to live forecasts only".to_owned()));
    }
    Ok(horizon)
}

/// The parameters of the operation.
type Query = (SeasonQuery, CalibrationQuery, ModelsQuery, MomentQuery);

wire! {
    /// The calibration of a market's models in one season.
    #[schema(as = MarketCalibration)]
    pub struct CalibrationResponse(calibration: SeasonCalibration) {
        let SeasonCalibration { season, snapshot, span, sources, forecast_games } = calibration;
        let market = season.archive.market;

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// The version of the season: as in its results. It seeds the random draws, so equal snapshots have equal
        /// figures.
        #[schema(example = "8d3c1f0a9b7e6254")]
        snapshot: String = snapshot.to_string(),
        /// The first date that counts; null if the request has no `from`.
        #[schema(required, value_type = Option<NaiveDate>)]
        from: Option<NaiveDate> = span.from(),
        /// The last date that counts; null if the request has no `to`.
        #[schema(required, value_type = Option<NaiveDate>)]
        to: Option<NaiveDate> = span.to(),
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = season.published_at,
        /// One entry for each source that the season has forecasts from. Live and reconstructed forecasts are never pooled.
        sources: Vec<CalibrationSource> = sources.iter().map(CalibrationSource::new).collect(),
        /// The games of these dates by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(forecast_games),
    }
}

wire! {
    /// The models whose forecasts come from one source.
    pub struct CalibrationSource(calibration: &SourceCalibration) {
        let SourceCalibration { source, horizon, not_recorded_here, models } = calibration;

        /// The source of the forecasts.
        forecast_source: CalibrationSourceCode = Code(*source),
        /// The instant of the forecasts; absent without `horizon`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        horizon: Option<CalibrationHorizonCode> = horizon.map(Code),
        /// With a `horizon` but `standing`: live games whose forecast no release of this log made, such as imported ones. They
        /// have no history and are in no sample.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = 5)]
        not_recorded_here: Option<u32> = *not_recorded_here,
        /// One entry for each model with a probability in the season, in the order of the model columns, then of
        /// declaration.
        models: Vec<CalibrationModelItem> = models.iter().map(CalibrationModelItem::new).collect(),
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
    params(MarketPath),
    responses(
        (status = 200, description = "The calibration of each model", body = CalibrationResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("calibration/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_calibration(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, query, ModelsQuery { models }, moment))) = (path, params);
    let span = date_span(query.from, query.to)?;
    let at = moments.at(market.sport, &moment).await?;
    let (counted, analytics) = (query.forecast_source, &state.published.analytics);
    let question = if let Some(horizon) = query.horizon {
        let counted = counted.unwrap_or(CountedForecasts::From(ForecastSource::Live));
        at.query(analytics.calibration_at(at.moment(), market, season, (span, horizon), counted, models)).await?
    } else {
        at.query(analytics.calibration(at.moment(), market, season, span, counted, models)).await?
    };
    answer.graded().at(&at).respond_to(question, |answer| Json(CalibrationResponse::new(answer))).await
}
