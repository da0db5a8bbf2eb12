use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_ports::tables::TableColumn;
use sports_strategies::{Accounting, MIN_SAMPLE};
use sports_usecases::analytics::{Analytics, SeasonLeaderboard};
use utoipa::ToSchema;

use super::item::StrategyItem;
use super::query::{LeaderboardQuery, with_deprecation};
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{
    AccountingCode, Code, ModelNameCode, ModelTypeCode, PriceBasisCode, PublicMarket, PublicMarketCode, SportCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelQuery, MomentQuery, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::tables::{TableOf, Tabular};

/// The parameters of the operation.
type Query = (SeasonQuery, (ModelQuery, (LeaderboardQuery, MomentQuery)));

/// The sixteen strategies of a market and their records in a season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StrategyLeaderboard)]
pub struct StrategyLeaderboardResponse {
    /// The league.
    sport: SportCode,
    /// The market's public name.
    market: PublicMarketCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
    /// The model whose probability less IMPLIED is the edge.
    #[schema(example = "BLEND")]
    model: ModelNameCode,
    /// The rules by which bets are priced and counted.
    accounting: AccountingCode,
    /// The prices at which bets are settled.
    price_basis: PriceBasisCode,
    /// The number of decisive bets that a strategy needs to be ranked.
    #[schema(example = 30)]
    min_sample: u32,
    /// The time at which the season was published.
    last_updated: DateTime<Utc>,
    /// All sixteen strategies: the ranked ones by ROI, then the others by sample size.
    strategies: Vec<StrategyItem>,
}

impl From<SeasonLeaderboard> for StrategyLeaderboardResponse {
    fn from(SeasonLeaderboard { season, accounting, model, strategies }: SeasonLeaderboard) -> Self {
        let market = season.archive.market;
        let item = |strategy| StrategyItem::from_record(market.model_type, accounting, strategy);
        Self {
            sport: Code(market.sport),
            market: Code(PublicMarket(market.model_type)),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            model: Code(model),
            accounting: Code(accounting),
            price_basis: Code(accounting.price_basis(market.model_type)),
            min_sample: MIN_SAMPLE,
            last_updated: season.published_at,
            strategies: strategies.iter().map(item).collect(),
        }
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
        StrategyItem::columns(strategies).columns()
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
    params(MarketPath, SeasonQuery, ModelQuery, LeaderboardQuery, MomentQuery),
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
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (ModelQuery { model }, (query, moment))))) = (path, params);
    let accounting = query.accounting.unwrap_or(Accounting::LegacyV1);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(analytics.leaderboard(at.moment(), market, season, accounting, model)).await?;
    let answer = with_deprecation(answer.at(&at), accounting);
    answer.give_as(query.format, question, StrategyLeaderboardResponse::from).await
}
