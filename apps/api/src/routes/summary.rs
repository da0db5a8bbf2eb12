//! Each model's record in a season.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelType, rounded};
use sports_performance::{ModelSummary, SHARE_PLACES, Span, Tally};
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::{SeasonSummary, SummarisedModel};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelTypeCode, SportCode, SummarisedModelCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FormatQuery, ModelsQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::tables::{TableOf, Tabular, columns};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_summary));
}

/// The record of one model. Shares are fractions from 0 to 1 with six decimals; a share of no games is null.
///
/// The side fields are `over …` and `under …` for totals, `home …` and `away …` for the other markets; the fields of
/// the other kind are absent. `1W` and `4W` are the 7 and 28 days that end on the date of the market's latest decided
/// game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SummaryEntry)]
pub struct SummaryItem {
    /// A model column, or `ENSEMBLE`: the picks on which five or more of the six individual models agree.
    model: SummarisedModelCode,
    /// Decided games with a pick of the model.
    #[schema(example = 285)]
    total_games: u32,
    /// Picks that won.
    #[schema(example = 151)]
    wins: u32,
    /// Picks that lost.
    #[schema(example = 134)]
    losses: u32,
    /// Wins divided by picks, 0 to 1.
    #[serde(rename = "win %")]
    #[schema(example = 0.529_825)]
    win: f64,
    /// Losses divided by picks, 0 to 1: the win rate of betting against the model.
    #[serde(rename = "fade %")]
    #[schema(example = 0.470_175)]
    fade: f64,
    /// The low end of the 95 % interval of `win %` (Wilson's), 0 to 1: the scatter by luck alone of a rate over so
    /// many picks.
    #[schema(example = 0.471_88)]
    wilson_low: f64,
    /// The high end of the 95 % interval of `win %` (Wilson's), 0 to 1.
    #[schema(example = 0.586_98)]
    wilson_high: f64,
    /// The win rate at which picks with a recorded price on the picked side break even, 0 to 1: the mean of 1 /
    /// decimal odds. Null without such a pick.
    #[schema(required, example = 0.523_81)]
    break_even: Option<f64>,
    /// Wins divided by picks over the 28 days that end on the market's latest decided game; null without a pick.
    #[serde(rename = "win % 4W")]
    #[schema(required)]
    win_four_weeks: Option<f64>,
    #[serde(flatten)]
    sides: SideShares,
    /// The mean return of one unit a game on the side with the higher expected value. It covers graded games, and
    /// pushes that would have been graded, with the model's probability and both prices. A push returns the stake.
    /// Null without such a game, and for `ENSEMBLE`, which has no probability.
    #[serde(rename = "ev roi")]
    #[schema(required, example = -0.031)]
    ev_roi: Option<f64>,
    /// `ev roi` over the 7 days that end on the market's latest decided game.
    #[serde(rename = "ev roi 1W")]
    #[schema(required)]
    ev_roi_one_week: Option<f64>,
    /// `ev roi` over the 28 days that end on the market's latest decided game.
    #[serde(rename = "ev roi 4W")]
    #[schema(required)]
    ev_roi_four_weeks: Option<f64>,
    /// `ev roi` over the season: the same value.
    #[serde(rename = "ev roi season")]
    #[schema(required)]
    ev_roi_season: Option<f64>,
    /// The low end of the 95 % bootstrap interval of `ev roi` over dates. Null with stakes on fewer than two dates.
    #[serde(rename = "ev roi low")]
    #[schema(required, example = -0.102_3)]
    ev_roi_low: Option<f64>,
    /// The high end of the 95 % bootstrap interval of `ev roi` over dates. Null with stakes on fewer than two dates.
    #[serde(rename = "ev roi high")]
    #[schema(required, example = 0.118_7)]
    ev_roi_high: Option<f64>,
    /// Games counted by `ev roi` whose better side had an expected value above zero.
    #[serde(rename = "bt bets")]
    #[schema(example = 212)]
    bt_bets: u32,
    /// The net units of these bets, one unit each.
    #[serde(rename = "bt units")]
    #[schema(example = -7.314_286)]
    bt_units: f64,
}

/// A share: null without a pick, absent if the market has other sides.
type Share = Option<Option<f64>>;

/// The shares of picks of one side that won. Absent if the market has other sides.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct SideShares {
    /// Win rate of the over picks, 0 to 1; null without such a pick.
    #[serde(rename = "over %", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    over: Share,
    /// Win rate of the under picks, 0 to 1; null without such a pick.
    #[serde(rename = "under %", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    under: Share,
    /// Win rate of the home picks, 0 to 1; null without such a pick.
    #[serde(rename = "home %", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    home: Share,
    /// Win rate of the away picks, 0 to 1; null without such a pick.
    #[serde(rename = "away %", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    away: Share,
    /// Win rate of the over picks over 7 days, 0 to 1; null without such a pick.
    #[serde(rename = "over % 1W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    over_one_week: Share,
    /// Win rate of the under picks over 7 days, 0 to 1; null without such a pick.
    #[serde(rename = "under % 1W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    under_one_week: Share,
    /// Win rate of the home picks over 7 days, 0 to 1; null without such a pick.
    #[serde(rename = "home % 1W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    home_one_week: Share,
    /// Win rate of the away picks over 7 days, 0 to 1; null without such a pick.
    #[serde(rename = "away % 1W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    away_one_week: Share,
    /// Win rate of the over picks over 28 days, 0 to 1; null without such a pick.
    #[serde(rename = "over % 4W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    over_four_weeks: Share,
    /// Win rate of the under picks over 28 days, 0 to 1; null without such a pick.
    #[serde(rename = "under % 4W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    under_four_weeks: Share,
    /// Win rate of the home picks over 28 days, 0 to 1; null without such a pick.
    #[serde(rename = "home % 4W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    home_four_weeks: Share,
    /// Win rate of the away picks over 28 days, 0 to 1; null without such a pick.
    #[serde(rename = "away % 4W", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    away_four_weeks: Share,
}

impl SideShares {
    fn from_summary(model_type: ModelType, summary: &ModelSummary) -> Self {
        let shares = |side: fn(&Span) -> Tally| {
            [summary.season, summary.one_week, summary.four_weeks].map(|span| Some(side(&span).win_share()))
        };
        let [positive, positive_one_week, positive_four_weeks] = shares(|span| span.on_positive);
        let [negative, negative_one_week, negative_four_weeks] = shares(|span| span.on_negative);
        match model_type {
            ModelType::OverUnder => Self {
                over: positive,
                over_one_week: positive_one_week,
                over_four_weeks: positive_four_weeks,
                under: negative,
                under_one_week: negative_one_week,
                under_four_weeks: negative_four_weeks,
                ..Self::default()
            },
            ModelType::WonOnPoints | ModelType::WonOnSpread => Self {
                home: positive,
                home_one_week: positive_one_week,
                home_four_weeks: positive_four_weeks,
                away: negative,
                away_one_week: negative_one_week,
                away_four_weeks: negative_four_weeks,
                ..Self::default()
            },
        }
    }
}

impl SummaryItem {
    /// Converts a model's summary in the vocabulary of its market.
    pub fn from_model(model_type: ModelType, model: &SummarisedModel) -> Self {
        let SummarisedModel { summary, win_rate, break_even, roi } = model;
        let (season, all) = (summary.season, summary.season.all);
        let places = |number| rounded(number, SHARE_PLACES);
        Self {
            model: Code(summary.of),
            total_games: all.games(),
            wins: all.wins,
            losses: all.losses,
            // Only models with a pick are listed, so the share exists.
            win: all.win_share().unwrap_or_default(),
            fade: all.fade_share().unwrap_or_default(),
            wilson_low: win_rate.map_or(0.0, |interval| places(interval.low)),
            wilson_high: win_rate.map_or(1.0, |interval| places(interval.high)),
            break_even: break_even.map(places),
            win_four_weeks: summary.four_weeks.all.win_share(),
            sides: SideShares::from_summary(model_type, summary),
            ev_roi: season.staked.roi(),
            ev_roi_one_week: summary.one_week.staked.roi(),
            ev_roi_four_weeks: summary.four_weeks.staked.roi(),
            ev_roi_season: season.staked.roi(),
            ev_roi_low: roi.map(|roi| places(roi.low)),
            ev_roi_high: roi.map(|roi| places(roi.high)),
            bt_bets: summary.valued.bets(),
            bt_units: summary.valued.units(),
        }
    }
}

impl SummaryItem {
    /// Adds the columns of models to a table; the side fields are those of the market's sides.
    pub fn columns<'a>(models: TableOf<'a, &'a Self>, model_type: ModelType) -> TableOf<'a, &'a Self> {
        let models = columns!(models, model, total_games, wins, losses, win = "win %", fade = "fade %");
        let models = columns!(models, wilson_low, wilson_high, break_even, win_four_weeks = "win % 4W");
        let models = models.part(|item| &item.sides, |sides| SideShares::columns(sides, model_type));
        let models =
            columns!(models, ev_roi = "ev roi", ev_roi_one_week = "ev roi 1W", ev_roi_four_weeks = "ev roi 4W");
        let models = columns!(models, ev_roi_season = "ev roi season", ev_roi_low = "ev roi low");
        columns!(models, ev_roi_high = "ev roi high", bt_bets = "bt bets", bt_units = "bt units")
    }
}

impl SideShares {
    fn columns<'a>(sides: TableOf<'a, &'a Self>, model_type: ModelType) -> TableOf<'a, &'a Self> {
        match model_type {
            ModelType::OverUnder => columns!(
                sides,
                over = "over %",
                under = "under %",
                over_one_week = "over % 1W",
                under_one_week = "under % 1W",
                over_four_weeks = "over % 4W",
                under_four_weeks = "under % 4W"
            ),
            ModelType::WonOnPoints | ModelType::WonOnSpread => columns!(
                sides,
                home = "home %",
                away = "away %",
                home_one_week = "home % 1W",
                away_one_week = "away % 1W",
                home_four_weeks = "home % 4W",
                away_four_weeks = "away % 4W"
            ),
        }
    }
}

/// The parameters of the operation.
type Query = (SeasonQuery, (ModelsQuery, (FormatQuery, MomentQuery)));

/// The models of a market and their records in a season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarketSummary)]
pub struct SummaryResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The season of the summary: the requested one, else the current one, or the newest while no season is current.
    #[schema(example = "2023-24")]
    season: String,
    /// The latest season with a game played against a posted line; null until there is such a season.
    #[schema(required, example = "2023-24")]
    current_season: Option<String>,
    /// One entry for each model with a graded pick, in the order of the model columns, then of declaration, then
    /// `ENSEMBLE`.
    summaries: Vec<SummaryItem>,
    /// The time at which the season was published from which the summary is computed.
    generated_date: DateTime<Utc>,
}

impl From<SeasonSummary> for SummaryResponse {
    fn from(SeasonSummary { season, current, models }: SeasonSummary) -> Self {
        let market = season.archive.market;
        let entry = |model| SummaryItem::from_model(market.model_type, model);
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            current_season: current.map(|current| current.to_string()),
            summaries: models.iter().map(entry).collect(),
            generated_date: season.published_at,
        }
    }
}

/// Rows are models.
impl Tabular for SummaryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let models = TableOf::rows(&self.summaries)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str());
        SummaryItem::columns(models, self.model_type.0).columns()
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
    params(MarketPath, SeasonQuery, ModelsQuery, FormatQuery, MomentQuery),
    responses(
        (status = 200, description = "The summary", body = SummaryResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("summary/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_summary(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (ModelsQuery { models }, (FormatQuery { format }, moment))))) =
        (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.summary(at.moment(), market, season, models)).await?;
    answer.graded().in_format(format).at(&at).respond_to(question, |answer| Rows(SummaryResponse::from(answer))).await
}
