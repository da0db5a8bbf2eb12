use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{AmericanPrice, GameKey, rounded};
use sports_ports::tables::TableColumn;
use sports_strategies::{Accounting, ReplayedBet};
use sports_usecases::analytics::{ExcludedGame, ExcludedGames, PlacedBet, ReplayedRule, SeasonReplay};

use super::leaderboard::StrategyItem;
use super::{MarketRule, ReplayQuery, StrategyPath, with_deprecation};
use crate::answer::{Answer, Rows};
use crate::auth::{OfSeason, RecordReader};
use crate::codes::{
    AccountingCode, BetOutcomeCode, BetSideCode, Code, ExclusionReasonCode, MarketSide, ModelNameCode, ModelTypeCode,
    PriceBasisCode, PublicMarket, PublicMarketCode, SportCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ForecastsQuery, ModelQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::Path;
use crate::routes::model_tracking::ForecastGames;
use crate::state::State;
use crate::wire::{Field, Subject, TableOf, Tabular, wire};

/// The parameters of the operation.
type Query = (SeasonQuery, ModelQuery, ForecastsQuery, ReplayQuery, MomentQuery);

wire! {
    /// A strategy's season, bet by bet.
    #[schema(as = StrategyReplay)]
    pub struct StrategyReplayResponse(replay: SeasonReplay) {
        let (market, accounting) = (replay.season.archive.market, replay.accounting);
        let side = MarketSide { model_type: market.model_type, side: replay.strategy.entry.rule.side() };

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The market's public name.
        market: PublicMarketCode = Code(PublicMarket(market.model_type)),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = replay.season.archive.season.to_string(),
        /// The model whose probability less IMPLIED is the edge.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(replay.model),
        /// The rules by which bets are priced and counted.
        accounting: AccountingCode = Code(accounting),
        /// The prices at which bets are settled.
        price_basis: PriceBasisCode = Code(accounting.price_basis(market.model_type)),
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = replay.season.published_at,
        /// The strategy's entry in the leaderboard.
        strategy: StrategyItem = StrategyItem::new(market.model_type, accounting, &replay.strategy),
        /// The strategy's bets, oldest first.
        rows: Vec<ReplayItem> = replay.bets.iter().map(|placed| ReplayItem::new(side, placed)).collect(),
        /// Finished games with a signal on which no bet was placed, oldest first; empty without `include_excluded`.
        excluded_rows: Vec<ExcludedItem> =
            replay.excluded.iter().map(|excluded| ExcludedItem::new(side, excluded)).collect(),
        /// The season's games by the kind of their forecast: recorded by this log, imported as live, or of a backtest.
        forecast_games: ForecastGames = ForecastGames::new(replay.forecast_games),
        /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = replay.missing.as_ref().map(ToString::to_string),
    }
}

wire! {
    /// A game, by its key.
    pub row ReplayGame(key: &GameKey, game_id: &str) {
        /// The identity of the game in its league: assigned once, and kept when the start changes.
        #[schema(example = "nfl-2024-01-07-buffalo_bills-miami_dolphins")]
        game_id: String = game_id.to_owned(),
        /// The Eastern date of the game's start.
        date: NaiveDate = key.date,
        /// The Eastern start time; null if unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time_est: Option<NaiveTime> = key.time,
        /// The visiting team.
        #[schema(example = "buffalo_bills")]
        away_team: String = key.away.to_string(),
        /// The home team.
        #[schema(example = "miami_dolphins")]
        home_team: String = key.home.to_string(),
        /// The game of a doubleheader whose times are unknown; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        game_number: Option<u8> = key.game_number,
    }
}

wire! {
    /// A bet of one unit.
    #[schema(as = ReplayRow)]
    pub struct ReplayItem(side: MarketSide, placed: &PlacedBet) {
        let ReplayedBet { bet, total } = placed.replayed;

        #[serde(flatten)]
        game: ReplayGame = ReplayGame::new(&placed.game, &placed.game_id),
        /// The side that was bet.
        side: BetSideCode = Code(side),
        /// The total, or the spread of the side; null on a moneyline.
        #[schema(required, example = -2.5)]
        line: Option<f64> = placed.line,
        /// The price at which the bet was settled, in American odds.
        #[schema(example = -110)]
        price: i32 = bet.price.get(),
        /// Units staked.
        #[schema(example = 1)]
        stake: u32 = 1,
        /// The outcome of the bet.
        outcome: BetOutcomeCode = Code(bet.result),
        /// True if the bet won, false if it lost; null on a push.
        #[schema(required, example = true)]
        won: Option<bool> = bet.result.won(),
        /// Units won beyond the stake; negative if lost.
        #[schema(example = 0.909_091)]
        profit: f64 = rounded(bet.profit(), 6),
        /// Net units up to and including this bet.
        #[schema(example = 0.909_091)]
        total: f64 = total,
    }
}

wire! {
    /// A finished game with a signal on which no bet was placed.
    #[schema(as = ExcludedRow)]
    pub struct ExcludedItem(side: MarketSide, excluded: &ExcludedGame) {
        #[serde(flatten)]
        game: ReplayGame = ReplayGame::new(&excluded.game, &excluded.game_id),
        /// The side that would have been bet.
        side: BetSideCode = Code(side),
        /// The total, or the spread of the side; null on a moneyline.
        #[schema(required, example = -2.5)]
        line: Option<f64> = excluded.line,
        /// The recorded price of that side; null if no price was recorded.
        #[schema(required)]
        price: Option<i32> = excluded.price.map(AmericanPrice::get),
        /// The reason that there is no bet.
        reason: ExclusionReasonCode = Code(excluded.reason),
    }
}

/// Replay a strategy bet by bet
///
/// Every bet of one strategy in a season (the latest without `season`), in order, with its price and the balance after it. The games that were
/// excluded are listed on request. The totals are those of the strategy's entry in the leaderboard.
#[utoipa::path(
    get, path = "/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay",
    tag = "strategies",
    params(StrategyPath),
    responses(
        (status = 200, description = "The replay", body = StrategyReplayResponse, headers(
            ("X-Grading-Rules"),
            ("Deprecation" = String, description = "Under legacy_v1: the time since which it is deprecated"),
            ("Link" = String, description = "Under legacy_v1: the documentation of the deprecation"),
        ), example = json!(read_example(include_str!("replay_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn replay_strategy(
    _reader: RecordReader<OfSeason>,
    path: Path<MarketRule>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(MarketRule { market, rule }) = path;
    let Params((SeasonQuery { season }, ModelQuery { model }, forecasts, query, moment)) = params;
    let accounting = query.accounting.unwrap_or(Accounting::RecordedV2);
    let listed = query.include_excluded.unwrap_or(false);
    let excluded = if listed { ExcludedGames::Listed } else { ExcludedGames::LeftOut };
    let at = moments.at(market.sport, &moment).await?;
    let counted = forecasts.forecast_source;
    let replayed = ReplayedRule { rule, accounting, excluded, model, counted };
    let question = at.query(state.published.analytics.replay(at.moment(), market, season, replayed)).await?;
    let answer = with_deprecation(answer.graded().at(&at), accounting);
    answer.in_format(query.format).respond_to(question, |answer| Rows(StrategyReplayResponse::new(answer))).await
}

/// A row of a replay's table.
#[derive(Clone, Copy)]
struct ReplayLine<'r> {
    game: &'r ReplayGame,
    side: BetSideCode,
    line: Option<f64>,
    price: Option<i32>,
    /// The bet; `None` for an excluded game.
    bet: Option<&'r ReplayItem>,
    /// The reason that an excluded game has no bet.
    reason: Option<ExclusionReasonCode>,
}

impl<'r> ReplayLine<'r> {
    const fn of_bet(bet: &'r ReplayItem) -> Self {
        let ReplayItem { game, side, line, price, .. } = bet;
        Self { game, side: *side, line: *line, price: Some(*price), bet: Some(bet), reason: None }
    }

    const fn of_excluded(excluded: &'r ExcludedItem) -> Self {
        let ExcludedItem { game, side, line, price, reason } = excluded;
        Self { game, side: *side, line: *line, price: *price, bet: None, reason: Some(*reason) }
    }
}

/// Rows are bets, followed by the listed excluded games, which have a `reason` and no outcome.
impl Tabular for StrategyReplayResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let excluded = self.excluded_rows.iter().map(ReplayLine::of_excluded);
        let lines = TableOf::rows(self.rows.iter().map(ReplayLine::of_bet).chain(excluded))
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str())
            .constant("accounting", self.accounting)
            .constant("strategy_id", self.strategy.id());
        ReplayGame::add_to(lines, "", Subject::default(), |line| Some(line.game))
            .column("side", |line| line.side)
            .column("line", |line| line.line)
            .column("price", |line| line.price)
            .column("stake", |line| Some(line.bet?.stake))
            .column("outcome", |line| Some(line.bet?.outcome))
            .column("won", |line| line.bet?.won)
            .column("profit", |line| Some(line.bet?.profit))
            .column("total", |line| Some(line.bet?.total))
            .column("reason", |line| line.reason)
            .columns()
    }
}
