//! Each model's record in a season.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use sports_domain::{Market, ModelType, rounded};
use sports_performance::{ModelSummary, SHARE_PLACES, Tally};
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::{FollowedRecord, SeasonSummary, SummarisedModel};
use utoipa_actix_web::service_config::ServiceConfig;

use super::model_tracking::ForecastGames;
use crate::answer::{Answer, Rows};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{Code, ModelTypeCode, SportCode, SummarisedModelCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{ForecastsQuery, FormatQuery, ModelsQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::wire::{Field, Subject, TableOf, Tabular, wire, with_fields};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_summary));
}

wire! {
    /// The record of one model. Shares are fractions from 0 to 1 with six decimals; a share of no games is null.
    ///
    /// The side fields are `over …` and `under …` for totals, `home …` and `away …` for the other markets; the fields of
    /// the other kind are absent. `1W` and `4W` are the 7 and 28 days that end on the date of the market's latest decided
    /// game.
    #[schema(as = SummaryEntry)]
    pub row SummaryItem(model_type: ModelType, model: &SummarisedModel) {
        let SummarisedModel { summary, win_rate, break_even, roi, picks, bets } = model;
        let (season, all) = (summary.season, summary.season.all);
        let places = |number| rounded(number, SHARE_PLACES);

        /// A model column, or `ENSEMBLE`: the picks on which five or more of the six individual models agree.
        model: SummarisedModelCode = Code(summary.of),
        /// Decided games with a pick of the model.
        #[schema(example = 285)]
        total_games: u32 = all.games(),
        /// Picks that won.
        #[schema(example = 151)]
        wins: u32 = all.wins,
        /// Picks that lost.
        #[schema(example = 134)]
        losses: u32 = all.losses,
        /// Wins divided by picks, 0 to 1.
        #[schema(example = 0.529_825)]
        // Only models with a pick are listed, so the share exists.
        win as "win %": f64 = all.win_share().unwrap_or_default(),
        /// Losses divided by picks, 0 to 1: the win rate of betting against the model.
        #[schema(example = 0.470_175)]
        fade as "fade %": f64 = all.fade_share().unwrap_or_default(),
        /// The low end of the 95 % interval of `win %` (Wilson's), 0 to 1: the scatter by luck alone of a rate over so
        /// many picks.
        #[schema(example = 0.471_88)]
        wilson_low: f64 = win_rate.map_or(0.0, |interval| places(interval.low)),
        /// The high end of the 95 % interval of `win %` (Wilson's), 0 to 1.
        #[schema(example = 0.586_98)]
        wilson_high: f64 = win_rate.map_or(1.0, |interval| places(interval.high)),
        /// The win rate at which picks with a recorded price on the picked side break even, 0 to 1: the mean of 1 /
        /// decimal odds. Null without such a pick.
        #[schema(required, example = 0.523_81)]
        break_even: Option<f64> = break_even.map(places),
        /// Wins divided by picks over the 28 days that end on the market's latest decided game; null without a pick.
        #[schema(required)]
        win_four_weeks as "win % 4W": Option<f64> = summary.four_weeks.all.win_share(),
        #[serde(flatten)]
        sides: SideShares = SideShares::new(model_type, summary),
        /// The mean return of one unit a game on the side with the higher expected value. It covers graded games, and
        /// pushes that would have been graded, with the model's probability and both prices. A push returns the stake.
        /// Null without such a game, and for `ENSEMBLE`, which has no probability. It is not the return of the model's picks:
        /// [which ROI is which](docs/analytics.md#which-roi-is-which).
        #[schema(required, example = -0.031)]
        ev_roi as "ev roi": Option<f64> = season.staked.roi(),
        /// `ev roi` over the 7 days that end on the market's latest decided game.
        #[schema(required)]
        ev_roi_one_week as "ev roi 1W": Option<f64> = summary.one_week.staked.roi(),
        /// `ev roi` over the 28 days that end on the market's latest decided game.
        #[schema(required)]
        ev_roi_four_weeks as "ev roi 4W": Option<f64> = summary.four_weeks.staked.roi(),
        /// `ev roi` over the season: the same value.
        #[schema(required)]
        ev_roi_season as "ev roi season": Option<f64> = season.staked.roi(),
        /// The low end of the 95 % bootstrap interval of `ev roi` over dates. Null with stakes on fewer than two dates.
        #[schema(required, example = -0.102_3)]
        ev_roi_low as "ev roi low": Option<f64> = roi.map(|roi| places(roi.low)),
        /// The high end of the 95 % bootstrap interval of `ev roi` over dates. Null with stakes on fewer than two dates.
        #[schema(required, example = 0.118_7)]
        ev_roi_high as "ev roi high": Option<f64> = roi.map(|roi| places(roi.high)),
        /// Games counted by `ev roi` whose better side had an expected value above zero.
        #[schema(example = 212)]
        bt_bets as "bt bets": u32 = summary.valued.bets(),
        /// The net units of these bets, one unit each: [which ROI is which](docs/analytics.md#which-roi-is-which).
        #[schema(example = -7.314_286)]
        bt_units as "bt units": f64 = summary.valued.units(),
        /// The record of who takes each pick: the side above one half. A game at one half has none.
        picks: FollowedBets = FollowedBets::new(picks),
        /// The record of who makes each bet: the side with the higher expected value at the recorded prices, where that is above
        /// zero. It may be the other side than the pick. `ENSEMBLE`, which has no probability, makes none.
        bets: FollowedBets = FollowedBets::new(bets),
    }
}

wire! {
    /// The record of who follows a model through a season. Games without a price on the side that is taken count as won, lost or
    /// pushed, and stake nothing.
    #[schema(as = FollowedRecord)]
    pub struct FollowedBets(record: &FollowedRecord) {
        let FollowedRecord { ends, staked, units, win_rate, break_even, roi, baseline } = *record;
        let places = |number| rounded(number, SHARE_PLACES);

        /// Games that the side won.
        #[schema(example = 151)]
        won: u32 = ends.won,
        /// Games that it lost.
        #[schema(example = 134)]
        lost: u32 = ends.lost,
        /// Pushes, which are in no win rate.
        #[schema(example = 3)]
        pushed: u32 = ends.pushed,
        /// Units staked, one a game with a recorded price of the side. A push returns its unit.
        #[schema(example = 288)]
        staked: u32 = staked,
        /// Profit in units.
        #[schema(example = -7.314_286)]
        units: f64 = places(units),
        /// Units divided by units staked; null without a stake.
        #[schema(required, example = -0.025_397)]
        roi: Option<f64> = record.mean_return().map(places),
        /// The low end of the 95 % bootstrap interval of `roi` over dates; null with stakes on fewer than two dates.
        #[schema(required, example = -0.121_2)]
        roi_low: Option<f64> = roi.map(|roi| places(roi.low)),
        /// The high end of that interval.
        #[schema(required, example = 0.071_3)]
        roi_high: Option<f64> = roi.map(|roi| places(roi.high)),
        /// The win rate at which decided games with a price break even, 0 to 1: the mean of 1 / decimal odds; null without one.
        #[schema(required, example = 0.523_81)]
        break_even: Option<f64> = break_even.map(places),
        /// The low end of the 95 % interval of the win rate (Wilson's), 0 to 1; null without a decided game.
        #[schema(required, example = 0.471_88)]
        wilson_low: Option<f64> = win_rate.map(|interval| places(interval.low)),
        /// The high end of that interval.
        #[schema(required, example = 0.586_98)]
        wilson_high: Option<f64> = win_rate.map(|interval| places(interval.high)),
        /// Games that the book's favourite won, of those of these games in which it has one: the side above one half by IMPLIED.
        #[schema(example = 149)]
        baseline_won: u32 = baseline.won,
        /// Games that the favourite lost.
        #[schema(example = 133)]
        baseline_lost: u32 = baseline.lost,
        /// Pushes among them.
        #[schema(example = 3)]
        baseline_pushed: u32 = baseline.pushed,
    }
}

/// The columns of a record in a table, by the name of the field.
impl Field for FollowedBets {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        name: &'static str,
        _: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        let names = if name == "picks" { PICKS } else { BETS };
        let [won, lost, pushed, staked, units, roi, low, high, break_even, wilson_low, wilson_high, baseline @ ..] =
            names;
        let [baseline_won, baseline_lost, baseline_pushed] = baseline;
        table
            .column(won, |row| get(row).map(|record| record.won))
            .column(lost, |row| get(row).map(|record| record.lost))
            .column(pushed, |row| get(row).map(|record| record.pushed))
            .column(staked, |row| get(row).map(|record| record.staked))
            .column(units, |row| get(row).map(|record| record.units))
            .column(roi, |row| get(row)?.roi)
            .column(low, |row| get(row)?.roi_low)
            .column(high, |row| get(row)?.roi_high)
            .column(break_even, |row| get(row)?.break_even)
            .column(wilson_low, |row| get(row)?.wilson_low)
            .column(wilson_high, |row| get(row)?.wilson_high)
            .column(baseline_won, |row| get(row).map(|record| record.baseline_won))
            .column(baseline_lost, |row| get(row).map(|record| record.baseline_lost))
            .column(baseline_pushed, |row| get(row).map(|record| record.baseline_pushed))
    }
}

const PICKS: [&str; 14] = [
    "picks_won",
    "picks_lost",
    "picks_pushed",
    "picks_staked",
    "picks_units",
    "picks_roi",
    "picks_roi_low",
    "picks_roi_high",
    "picks_break_even",
    "picks_wilson_low",
    "picks_wilson_high",
    "picks_baseline_won",
    "picks_baseline_lost",
    "picks_baseline_pushed",
];
const BETS: [&str; 14] = [
    "bets_won",
    "bets_lost",
    "bets_pushed",
    "bets_staked",
    "bets_units",
    "bets_roi",
    "bets_roi_low",
    "bets_roi_high",
    "bets_break_even",
    "bets_wilson_low",
    "bets_wilson_high",
    "bets_baseline_won",
    "bets_baseline_lost",
    "bets_baseline_pushed",
];

/// A share: null without a pick, absent if the market has other sides.
type Share = Option<Option<f64>>;

wire! {
    /// The shares of picks of one side that won. Absent if the market has other sides.
    pub row SideShares(model_type: ModelType, summary: &ModelSummary) {
        let ModelSummary { season, one_week, four_weeks, .. } = summary;
        let total = |tally| share(model_type == ModelType::OverUnder, tally);
        let team = |tally| share(model_type != ModelType::OverUnder, tally);

        /// Win rate of the over picks, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        over as "over %": Share = total(season.on_positive),
        /// Win rate of the under picks, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        under as "under %": Share = total(season.on_negative),
        /// Win rate of the home picks, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        home as "home %": Share = team(season.on_positive),
        /// Win rate of the away picks, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        away as "away %": Share = team(season.on_negative),
        /// Win rate of the over picks over 7 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        over_one_week as "over % 1W": Share = total(one_week.on_positive),
        /// Win rate of the under picks over 7 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        under_one_week as "under % 1W": Share = total(one_week.on_negative),
        /// Win rate of the home picks over 7 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        home_one_week as "home % 1W": Share = team(one_week.on_positive),
        /// Win rate of the away picks over 7 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        away_one_week as "away % 1W": Share = team(one_week.on_negative),
        /// Win rate of the over picks over 28 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        over_four_weeks as "over % 4W": Share = total(four_weeks.on_positive),
        /// Win rate of the under picks over 28 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        under_four_weeks as "under % 4W": Share = total(four_weeks.on_negative),
        /// Win rate of the home picks over 28 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        home_four_weeks as "home % 4W": Share = team(four_weeks.on_positive),
        /// Win rate of the away picks over 28 days, 0 to 1; null without such a pick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        away_four_weeks as "away % 4W": Share = team(four_weeks.on_negative),
    }
}

fn share(has_side: bool, tally: Tally) -> Share {
    has_side.then(|| tally.win_share())
}

/// The parameters of the operation.
type Query = (SeasonQuery, ForecastsQuery, ModelsQuery, FormatQuery, MomentQuery);

wire! {
    /// The models of a market and their records in a season.
    #[schema(as = MarketSummary)]
    pub struct SummaryResponse(summary: SeasonSummary) {
        let SeasonSummary { season, current, models, forecast_games } = summary;
        let market = season.archive.market;
        let entry = |model| SummaryItem::new(market.model_type, model);

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The season of the summary: the requested one, else the current one, or the newest while no season is current.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// The latest season with a game played against a posted line; null until there is such a season.
        #[schema(required, example = "2023-24")]
        current_season: Option<String> = current.map(|current| current.to_string()),
        /// One entry for each model with a graded pick, in the order of the model columns, then of declaration, then
        /// `ENSEMBLE`.
        summaries: Vec<SummaryItem> = models.iter().map(entry).collect(),
        /// The season's games by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(forecast_games),
        /// The time at which the season was published from which the summary is computed.
        generated_date: DateTime<Utc> = season.published_at,
    }
}

/// Rows are models, with the sides of the market.
impl Tabular for SummaryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let models = TableOf::rows(&self.summaries)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str());
        let other_sides = match self.model_type.0 {
            ModelType::OverUnder => ["home %", "away %"],
            ModelType::WonOnPoints | ModelType::WonOnSpread => ["over %", "under %"],
        };
        let columns = with_fields(models).columns().into_iter();
        columns.filter(|column| !other_sides.iter().any(|side| column.name.starts_with(side))).collect()
    }
}

/// Show how the models did in a season
///
/// Each model's record over a season, and over its last one and four weeks. Without `season` it is the current
/// season. The record is split by the picked side, and includes the return of one unit a game on the model's better
/// side. It is counted from the same graded rows as the results: pushes and games without a pick are not counted.
#[utoipa::path(
    get, path = "/api/v1/summary/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath),
    responses(
        (status = 200, description = "The summary", body = SummaryResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("summary/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_summary(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (
        Path(market),
        Params((SeasonQuery { season }, forecasts, ModelsQuery { models }, FormatQuery { format }, moment)),
    ) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let counted = forecasts.forecast_source;
    let question = at.query(state.published.analytics.summary(at.moment(), market, season, counted, models)).await?;
    answer.graded().in_format(format).at(&at).respond_to(question, |answer| Rows(SummaryResponse::new(answer))).await
}
