//! The value of the models' picks at the closing line.

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use sports_calibration::{ClosingValue, Excluded, Measure};
use sports_domain::{Market, ModelName};
use sports_publication::{CountedForecasts, ForecastSource};
use sports_usecases::analytics::{CloseWithin, ClvRules, CountedGames, SeasonClv, TakenRule};
use utoipa_actix_web::service_config::ServiceConfig;

use super::model_tracking::ForecastGames;
use crate::answer::{Answer, Json};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{Code, CountedForecastsCode, ModelNameCode, ModelTypeCode, SportCode, TakenForecastCode};
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
    config.service(operation!(show_clv));
}

query_params! {
    /// The forecasts, the closes and the dates of closing-line values.
    #[derive(Debug)]
    pub struct ClvQuery {
        /// The forecast of each game that is measured: the one that holds for the record (`standing`), or the first one with a
        /// probability of the model (`first`).
        #[param(value_type = Option<TakenForecastCode>, default = json!(TakenRule::default().word()))]
        pub taken: TakenRule = taken,
        /// The oldest close that counts: the minutes from the reading of its source to the start of the game.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 1440, default = 120)]
        pub close_within: CloseWithin = close_within; first,
        /// The live forecasts to measure: all of them (`live`), or those that this log published before the start (`recorded`). The
        /// others have no history and are counted in `not_recorded_here`.
        #[param(value_type = Option<CountedForecastsCode>, default = json!(ClvRules::default().counted.word()))]
        pub forecast_source: CountedForecasts = live,
        /// The first date that counts, Eastern; the season's first if absent.
        pub from: Option<NaiveDate> = Given::date,
        /// The last date that counts, Eastern; the season's last if absent.
        pub to: Option<NaiveDate> = Given::date,
    }
}

fn taken(given: Given<'_>) -> Result<TakenRule, ApiError> {
    Ok(given.parse("first or standing", TakenRule::named)?.unwrap_or_default())
}

fn live(given: Given<'_>) -> Result<CountedForecasts, ApiError> {
    let counted = given.parsed()?.unwrap_or(ClvRules::default().counted);
    let is_live = counted != CountedForecasts::From(ForecastSource::WalkForward);
    let refused = || ApiError::bad_parameter("forecast_source", "live or recorded: a backtest took no price");
    if is_live { Ok(counted) } else { Err(refused()) }
}

fn close_within(given: Given<'_>) -> Result<CloseWithin, ApiError> {
    let minutes = given.whole_number(CloseWithin::MINUTES)?;
    Ok(minutes.and_then(CloseWithin::of_minutes).unwrap_or_default())
}

wire! {
    /// The closing-line value of the models' picks in one season. Figures are not rounded; a figure that does not exist is null.
    #[schema(as = ClosingLineValues)]
    pub struct ClvResponse(clv: SeasonClv) {
        let market = clv.season.archive.market;
        let CountedGames { not_recorded_here, not_started, not_played } = clv.left_out;

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The label of the season.
        #[schema(example = "2025-26")]
        season: String = clv.season.archive.season.to_string(),
        /// The version of the season: as in its results. It seeds the random draws.
        #[schema(example = "8d3c1f0a9b7e6254")]
        snapshot: String = clv.snapshot.to_string(),
        /// The forecast of each game that is measured.
        taken: TakenForecastCode = Code(clv.taken),
        /// The minutes before the start within which the source of a close was read.
        #[schema(example = 120)]
        close_within: u32 = clv.close_within.minutes(),
        /// The first date that counts; null if the request has no `from`.
        #[schema(required, value_type = Option<NaiveDate>)]
        from: Option<NaiveDate> = clv.span.from(),
        /// The last date that counts; null if the request has no `to`.
        #[schema(required, value_type = Option<NaiveDate>)]
        to: Option<NaiveDate> = clv.span.to(),
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = clv.season.published_at,
        /// One entry for each listed model with a forecast in the season, in the order of the model columns, then of declaration.
        models: Vec<ClvModelItem> = clv.models.into_iter().map(ClvModelItem::new).collect(),
        /// Games whose live forecast no release of this log made, such as imported ones: they have no history.
        #[schema(example = 5)]
        not_recorded_here: u32 = not_recorded_here,
        /// Games that had not started.
        #[schema(example = 16)]
        not_started: u32 = not_started,
        /// Games that were called off.
        #[schema(example = 1)]
        not_played: u32 = not_played,
        /// The games of these dates by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(clv.forecast_games),
    }
}

wire! {
    /// The closing-line value of one model's picks. The three measures are of different things and are never added up.
    #[schema(as = ClvModel)]
    pub struct ClvModelItem(source: (ModelName, ClosingValue)) {
        let (model, value) = source;
        let ClosingValue { picks, no_pick, expected, probability, line, excluded } = value;

        /// The model.
        model: ModelNameCode = Code(model),
        /// The picks in games that have started, excluded ones too.
        #[schema(example = 120)]
        picks: u32 = picks,
        /// Forecasts of exactly one half, which pick no side.
        #[schema(example = 2)]
        no_pick: u32 = no_pick,
        /// The units per unit staked that the price taken was worth by the no-vig probability at the close, pushes ignored: of
        /// picks whose line was the same at the close.
        clv_ev: ClvMeasure = ClvMeasure::new(expected),
        /// The no-vig probability of the picked side at the close, less that at the prices taken: of the same picks, as far as
        /// both prices were taken.
        clv_prob: ClvMeasure = ClvMeasure::new(probability),
        /// The points by which the line moved in favour of the pick, moved or not; null for a moneyline, which has no line.
        #[schema(required)]
        line_clv: Option<ClvMeasure> = line.map(ClvMeasure::new),
        /// The picks that are left out, each under its first reason.
        excluded: ClvExclusions = ClvExclusions::new(excluded),
    }
}

wire! {
    /// A measure over picks. The games of a date are one cluster.
    pub struct ClvMeasure(measure: Measure) {
        let Measure { picks, dates, mean, positive } = measure;
        let interval = mean.and_then(|mean| mean.interval);

        /// The picks measured.
        #[schema(example = 101)]
        picks: u32 = picks,
        /// The mean; null without a pick.
        #[schema(required, example = 0.004_3)]
        mean: Option<f64> = mean.map(|mean| mean.mean),
        /// Its standard error; null below two dates.
        #[schema(required, example = 0.003)]
        se: Option<f64> = mean.and_then(|mean| mean.se),
        /// The mean in standard errors; null below 30 picks or two dates, and where every date has the same mean.
        #[schema(required, example = 1.4)]
        t: Option<f64> = mean.and_then(|mean| mean.t),
        /// The p-value of `t` by Student's distribution with one degree of freedom less than there are dates; null without `t`.
        #[schema(required, example = 0.16)]
        p: Option<f64> = mean.and_then(|mean| mean.p),
        /// The low end of the 95 percent bootstrap interval over dates; null below 30 picks or two dates.
        #[schema(required, example = -0.002)]
        low: Option<f64> = interval.map(|interval| interval.low),
        /// The high end of that interval.
        #[schema(required, example = 0.01)]
        high: Option<f64> = interval.map(|interval| interval.high),
        /// The share of these picks above zero, from 0 to 1; null without a pick.
        #[schema(required, example = 0.53)]
        positive: Option<f64> = positive,
        /// The number of dates on which these games were played.
        #[schema(example = 38)]
        dates: usize = dates,
    }
}

wire! {
    /// Excluded picks by their first reason, in this order.
    pub struct ClvExclusions(excluded: Excluded) {
        let Excluded { no_close, stale_close, no_later_odds, no_line, no_price, line_moved } = excluded;

        /// No odds with a price were published before the start.
        #[schema(example = 3)]
        no_close: u32 = no_close,
        /// The source of the close was read longer than `close_within` minutes before the start.
        #[schema(example = 4)]
        stale_close: u32 = stale_close,
        /// The close was published with the forecast or before it: the price would be compared with itself.
        #[schema(example = 5)]
        no_later_odds: u32 = no_later_odds,
        /// The total or the spread had no number when it was taken, or at the close.
        #[schema(example = 0)]
        no_line: u32 = no_line,
        /// The picked side had no price when it was taken, or a side had none at the close. `line_clv` has the pick.
        #[schema(example = 5)]
        no_price: u32 = no_price,
        /// The line at the close was another one. `line_clv` has the pick.
        #[schema(example = 2)]
        line_moved: u32 = line_moved,
    }
}

/// The parameters of the operation.
type Query = (SeasonQuery, ClvQuery, ModelsQuery, MomentQuery);

/// Show picks against the closing line
///
/// For each model, in a season (the latest without `season`): the value that its picks had at the last prices before the
/// games started. Counted are live forecasts that releases of this log made, of games that have started and were not
/// called off, at the lines and prices served with the forecast. The close is the last line with a price that was published
/// before the start; the history of a game's odds marks it.
///
/// `clv_ev` is the expected value of the price taken by the closing no-vig probability. `clv_prob` is the difference of the
/// no-vig probabilities. `line_clv` is the points by which a total or a spread moved in favour of the pick. They measure
/// different things and are never added up. A pick without a close to compare with is counted under its first reason in
/// `excluded`.
///
/// A positive closing-line value promises no profit: the close is a price with the bookmaker's margin and errors of its
/// own, a price taken may not have been available, and other seasons may differ.
#[utoipa::path(
    get, path = "/api/v1/clv/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath),
    responses(
        (status = 200, description = "The closing-line value of each model's picks", body = ClvResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("clv/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_clv(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, query, ModelsQuery { models }, moment))) = (path, params);
    let ClvQuery { taken, close_within, forecast_source: counted, from, to } = query;
    let rules = ClvRules { taken, close_within, span: date_span(from, to)?, counted };
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.clv(at.moment(), market, season, rules, models)).await?;
    answer.graded().at(&at).respond_to(question, |answer| Json(ClvResponse::new(answer))).await
}
