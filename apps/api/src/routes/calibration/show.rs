use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sports_domain::Market;
use sports_usecases::analytics::{Analytics, SeasonCalibration, SourceCalibration};
use utoipa::ToSchema;

use super::model::CalibrationModelItem;
use super::query::CalibrationQuery;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{CalibrationSourceCode, Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::params::{Params, SeasonQuery, date_span};
use crate::paths::{MarketPath, Path};

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
    /// One entry for each model with a probability in the season, in the order of the model columns.
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
    fn from(SourceCalibration { source, models }: &SourceCalibration) -> Self {
        let models = models.iter();
        Self {
            forecast_source: Code(*source),
            models: models.map(|(model, made)| CalibrationModelItem::from_calibration(*model, made)).collect(),
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
#[utoipa::path(
    get, path = "/api/v1/calibration/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, CalibrationQuery),
    responses(
        (status = 200, description = "The calibration of each model", body = CalibrationResponse,
            headers(("X-Grading-Rules")), example = json!(example())),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_calibration(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(SeasonQuery, CalibrationQuery)>,
    answer: GradedAnswer,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, query))) = (path, params);
    let question = analytics.calibration(market, season, date_span(query.from, query.to)?, query.forecast_source)?;
    answer.give(question, CalibrationResponse::from).await
}

fn example() -> Value {
    json!({
        "sport": "nfl", "model_type": "won_on_points", "season": "2023-24", "snapshot": "8d3c1f0a9b7e6254",
        "from": null, "to": null, "last_updated": crate::examples::instant(),
        "sources": [{ "forecast_source": "walk_forward", "models": [{
            "model": "BLEND", "games": 285, "sample": "large", "brier": 0.2207, "log_loss": 0.632, "clipped": 0,
            "corp": { "mcb": 0.0141, "dsc": 0.0392, "unc": 0.2458, "mcb_p": 0.4 },
            "reliability_diagram": [
                { "p_min": 0.2, "p_max": 0.3, "games": 30, "rate": 0.25, "band_low": 0.1, "band_high": 0.4 }
            ],
            "murphy": {
                "rel": 0.0075, "res": 0.031, "unc": 0.2458, "wbv": 0.0008, "wbc": 0.0024,
                "bins": [{ "from": 0.0, "to": 0.1, "games": 3, "mean_p": 0.08, "rate": 0.0, "thin": true }]
            },
            "ece10": 0.0733, "ece10_if_perfect": { "mean": 0.0572, "low": 0.029, "high": 0.091 },
            "picks": {
                "wins": 195, "losses": 90, "rate": 0.684_21, "wilson_low": 0.6281, "wilson_high": 0.7354,
                "break_even": 0.66, "roi": 0.01, "roi_low": -0.08, "roi_high": 0.1
            },
            "market": {
                "games": 285, "implied": { "brier": 0.218_64, "log_loss": 0.6273 }, "skill": -0.0094,
                "brier": {
                    "difference": 0.002_06, "se": 0.002_31, "t": 0.89, "p": 0.375, "p_holm": 1.0,
                    "low": -0.0026, "high": 0.0068, "dates": 63
                },
                "log_loss": { "difference": 0.0047, "se": 0.0056, "t": 0.84, "p": 0.4, "low": -0.0065, "high": 0.0162 }
            },
            "verdict": "undecided",
            "verdict_in_words": "Over the 285 games with both probabilities, chance could explain the difference: it is \
                undecided whether the model's or the market's were closer to what happened."
        }] }]
    })
}
