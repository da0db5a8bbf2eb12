use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sports_domain::Market;
use sports_ports::seasons::SeasonViews;
use sports_strategies::{Accounting, Leaderboard, MIN_SAMPLE};
use sports_usecases::analytics::{Analytics, ArchivedSeason, SeasonAnalytics};
use utoipa::ToSchema;

use super::entry::StrategyEntry;
use super::query::{LeaderboardQuery, asked_season, marked};
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::codes::{AccountingCode, Code, ModelTypeCode, PublicMarket, PublicMarketCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::params::Params;
use crate::paths::{MarketPath, Path};

/// The sixteen strategies of a market and how they did in a season.
#[derive(Debug, Serialize, ToSchema)]
pub struct StrategyLeaderboard {
    /// The league.
    sport: SportCode,
    /// The market's public name.
    market: PublicMarketCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The season.
    #[schema(example = "2023-24")]
    season: String,
    /// How bets are priced and counted.
    accounting: AccountingCode,
    /// The prices bets are settled at: `recorded`, `recorded_moneyline` or `flat_-110`.
    #[schema(example = "recorded")]
    price_basis: &'static str,
    /// Decisive bets a strategy needs to be ranked.
    #[schema(example = 30)]
    min_sample: u32,
    /// When the season was published.
    last_updated: DateTime<Utc>,
    /// All sixteen: ranked ones by ROI, then the others by sample.
    strategies: Vec<StrategyEntry>,
}

impl StrategyLeaderboard {
    fn from_analytics(season: &ArchivedSeason, accounting: Accounting, analytics: &SeasonAnalytics) -> Self {
        let market = season.archive.market;
        let leaderboard = Leaderboard::from_games(market.model_type, accounting, &analytics.strategy_games);
        let entry = |entry| StrategyEntry::from_entry(market.model_type, accounting, entry);
        Self {
            sport: Code(market.sport),
            market: Code(PublicMarket(market.model_type)),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            accounting: Code(accounting),
            price_basis: accounting.price_basis(market.model_type),
            min_sample: MIN_SAMPLE,
            last_updated: season.published_at,
            strategies: leaderboard.entries().iter().map(entry).collect(),
        }
    }
}

/// List strategies by their return
///
/// Sixteen fixed rules over two signals, each with its record over every game of a season: how the line
/// moved since its opener, and how far BLEND is from the market. A rule that follows a signal takes its
/// side, one that fades it takes the other; a hybrid bets where its two halves take the same. Research, not a
/// betting selector: no edge is guaranteed. Without `accounting` the deprecated `legacy_v1` answers, and says
/// so in a `Deprecation` header.
#[utoipa::path(
    get, path = "/api/v1/strategies/{sport}/{model_type}",
    tag = "strategies",
    params(MarketPath, LeaderboardQuery),
    responses(
        (status = 200, description = "The leaderboard", body = StrategyLeaderboard, headers(
            ("X-Grading-Rules"),
            ("Deprecation" = String, description = "Under legacy_v1: since when it is deprecated"),
            ("Link" = String, description = "Under legacy_v1: where to read about it"),
        ), example = json!(example())),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_strategies(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<LeaderboardQuery>,
    answer: GradedAnswer,
    analytics: Data<Analytics>,
    views: Data<dyn SeasonViews<SeasonAnalytics>>,
) -> Result<HttpResponse, ApiError> {
    let season = asked_season(&analytics, path.0, params.0.season.as_deref())?;
    let accounting = params.0.accounting.unwrap_or(Accounting::LegacyV1);
    let making =
        async { Ok(StrategyLeaderboard::from_analytics(&season, accounting, &*views.view(&season.archive).await?)) };
    marked(answer, accounting).give(&(season, accounting), making).await
}

fn example() -> Value {
    json!({
        "sport": "nfl", "market": "spread", "model_type": "won_on_spread", "season": "2023-24",
        "accounting": "recorded_v2", "price_basis": "recorded", "min_sample": MIN_SAMPLE,
        "last_updated": crate::examples::instant(),
        "strategies": [super::replay::example_entry()]
    })
}
