use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_calibration::Interval;
use sports_domain::{Market, ModelType, rounded};
use sports_ports::tables::TableColumn;
use sports_strategies::{Accounting, BettingRecord, ExclusionReason, MIN_SAMPLE, PERCENT_PLACES};
use sports_usecases::analytics::{SeasonLeaderboard, StrategyRecord};
use utoipa::ToSchema;

use super::{LeaderboardQuery, with_deprecation};
use crate::answer::{Answer, Rows};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{
    AccountingCode, Code, ModelNameCode, ModelTypeCode, PriceBasisCode, PublicMarket, PublicMarketCode, SportCode,
    StrategyIdCode, StrategySignalCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ForecastsQuery, ModelQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::routes::model_tracking::ForecastGames;
use crate::state::State;
use crate::wire::{Field, Subject, TableOf, Tabular, wire, with_fields};

/// The parameters of the operation.
type Query = (SeasonQuery, ModelQuery, ForecastsQuery, LeaderboardQuery, MomentQuery);

wire! {
    /// The sixteen strategies of a market and their records in a season.
    #[schema(as = StrategyLeaderboard)]
    pub struct StrategyLeaderboardResponse(leaderboard: SeasonLeaderboard) {
        let SeasonLeaderboard { season, accounting, model, strategies, forecast_games, missing } = leaderboard;
        let market = season.archive.market;
        let item = |strategy| StrategyItem::new(market.model_type, accounting, strategy);

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The market's public name.
        market: PublicMarketCode = Code(PublicMarket(market.model_type)),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// The model whose probability less IMPLIED is the edge.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(model),
        /// The rules by which bets are priced and counted.
        accounting: AccountingCode = Code(accounting),
        /// The prices at which bets are settled.
        price_basis: PriceBasisCode = Code(accounting.price_basis(market.model_type)),
        /// The number of decisive bets that a strategy needs to be ranked.
        #[schema(example = 30)]
        min_sample: u32 = MIN_SAMPLE,
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = season.published_at,
        /// All sixteen strategies: the ranked ones by ROI, then the others by sample size.
        strategies: Vec<StrategyItem> = strategies.iter().map(item).collect(),
        /// The season's games by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(forecast_games),
        /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = missing.as_ref().map(ToString::to_string),
    }
}

/// Rows are strategies.
impl Tabular for StrategyLeaderboardResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let strategies = TableOf::rows(&self.strategies)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str())
            .constant("accounting", self.accounting);
        with_fields(strategies).columns()
    }
}

/// List strategies by their return
///
/// Sixteen fixed rules over two signals, each with its record over every game of a season (the latest without
/// `season`). The signals are the move of the line since its opener, and the side that `model` rates above the market. A rule that follows a signal takes
/// its side, and a rule that fades it takes the other; a hybrid bets if its two halves take the same side. Research,
/// not a betting selector: no edge is guaranteed. Without `accounting` the deprecated `legacy_v1` applies, and a
/// `Deprecation` header is sent.
#[utoipa::path(
    get, path = "/api/v1/strategies/{sport}/{model_type}",
    tag = "strategies",
    params(MarketPath),
    responses(
        (status = 200, description = "The leaderboard", body = StrategyLeaderboardResponse, headers(
            ("X-Grading-Rules"),
            ("Deprecation" = String, description = "Under legacy_v1: the time since which it is deprecated"),
            ("Link" = String, description = "Under legacy_v1: the documentation of the deprecation"),
        ), example = json!(read_example(include_str!("leaderboard_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_strategies(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, ModelQuery { model }, forecasts, query, moment))) =
        (path, params);
    let accounting = query.accounting.unwrap_or(Accounting::LegacyV1);
    let at = moments.at(market.sport, &moment).await?;
    let (counted, analytics) = (forecasts.forecast_source, &state.published.analytics);
    let question = at.query(analytics.leaderboard(at.moment(), market, season, accounting, model, counted)).await?;
    let answer = with_deprecation(answer.graded().at(&at), accounting);
    answer.in_format(query.format).respond_to(question, |answer| Rows(StrategyLeaderboardResponse::new(answer))).await
}

wire! {
    /// A strategy and its record.
    #[schema(as = StrategyEntry)]
    pub row StrategyItem(model_type: ModelType, accounting: Accounting, strategy: &StrategyRecord) {
        let StrategyRecord { entry, roi } = strategy;
        let record = &entry.record;
        let roi_end = |end: fn(&Interval) -> f64| roi.as_ref().map(|roi| rounded(100.0 * end(roi), PERCENT_PLACES));
        let recorded = accounting == Accounting::RecordedV2;

        /// The strategy's id: stance and signal, then the side it bets, such as `follow_line_home`.
        id: StrategyIdCode = Code(entry.rule.id(model_type)),
        /// The strategy's display name.
        #[schema(example = "Follow Line + Follow Edge, Home")]
        name: String = entry.rule.name(model_type),
        /// The signal that the strategy follows or fades; a `Hybrid` uses both.
        signal: StrategySignalCode = Code(entry.rule.signal()),
        /// The strategy's rank by ROI, from 1; null if it is not ranked.
        #[schema(required, example = 1)]
        rank: Option<u32> = entry.rank,
        /// Bets that won.
        #[schema(example = 34)]
        wins: u32 = record.wins(),
        /// Bets that lost.
        #[schema(example = 27)]
        losses: u32 = record.losses(),
        /// `W-L`, or `W-L-P` under `recorded_v2`.
        #[schema(example = "34-27-2")]
        record: String = record_text(accounting, record),
        /// The percentage of decisive bets that were won; null without a decisive bet.
        #[schema(required, example = 55.74)]
        win_pct: Option<f64> = record.win_pct(),
        /// Profit as a percentage of the stakes; null without a bet. [Which ROI is which](docs/analytics.md#which-roi-is-which).
        #[schema(required, example = 4.18)]
        roi: Option<f64> = record.roi(),
        /// The low end of the 95 % bootstrap interval of `roi` over dates, in the same unit. Under `recorded_v2` only;
        /// null with bets on fewer than two dates.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>, example = -19.87)]
        roi_low: RoiEnd = recorded.then(|| roi_end(|roi| roi.low)),
        /// The high end of the 95 % interval of `roi`. Under `recorded_v2` only; null with bets on fewer than two dates.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>, example = 27.64)]
        roi_high: RoiEnd = recorded.then(|| roi_end(|roi| roi.high)),
        /// Decisive bets.
        #[schema(example = 61)]
        n: u32 = record.decisive(),
        /// True if `n` reaches `min_sample`, so that the strategy is ranked.
        ranked: bool = record.decisive() >= MIN_SAMPLE,
        /// Bets whose stake was returned. Under `recorded_v2` only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = 2)]
        pushes: Option<u32> = recorded.then(|| record.pushes()),
        /// Units staked, pushes included. Under `recorded_v2` only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = 63)]
        stakes: Option<u32> = recorded.then(|| record.stakes()),
        /// Net units. Under `recorded_v2` only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = 2.634_21)]
        profit_units: Option<f64> = recorded.then(|| record.profit_units()),
        /// Finished games with a signal on which no bet was placed, by reason. Under `recorded_v2` only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        exclusions: Option<StrategyExclusions> = recorded.then(|| StrategyExclusions {
            missing_price: record.excluded(ExclusionReason::MissingPrice),
            unverified_finality: record.excluded(ExclusionReason::UnverifiedFinality),
        }),
    }
}

/// The end of an interval: null without an interval, absent under an accounting without intervals.
type RoiEnd = Option<Option<f64>>;

/// Finished games with a signal on which no bet was placed, by reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct StrategyExclusions {
    /// Games without a recorded price on the side that would have been bet.
    #[schema(example = 0)]
    missing_price: u32,
    /// Games whose final is not verified, with or without a price.
    #[schema(example = 1)]
    unverified_finality: u32,
}

impl StrategyItem {
    /// Returns the strategy's id.
    pub const fn id(&self) -> StrategyIdCode {
        self.id
    }
}

impl Field for StrategyExclusions {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        _: &'static str,
        _: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        table
            .column("exclusions_missing_price", |row| Some(get(row)?.missing_price))
            .column("exclusions_unverified_finality", |row| Some(get(row)?.unverified_finality))
    }
}

fn record_text(accounting: Accounting, record: &BettingRecord) -> String {
    let (wins, losses, pushes) = (record.wins(), record.losses(), record.pushes());
    match accounting {
        Accounting::LegacyV1 => format!("{wins}-{losses}"),
        Accounting::RecordedV2 => format!("{wins}-{losses}-{pushes}"),
    }
}
