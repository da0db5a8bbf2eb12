//! Betting rules, their records, and their replay.

mod leaderboard;
mod replay;

use sports_domain::Market;
use sports_strategies::{Accounting, Strategy};
use utoipa::IntoParams;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::Answer;
use crate::codes::{AccountingCode, ModelTypeCode, SportCode, StrategyIdCode};
use crate::deprecation;
use crate::error::ApiError;
use crate::format::Format;
use crate::operation::operation;
use crate::params::Given;
use crate::paths::{FromPath, Segments};
use crate::query_params;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(leaderboard::list_strategies)).service(operation!(replay::replay_strategy));
}

/// The documented parameters of a path that names a strategy.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the fields are read by the document")]
pub struct StrategyPath {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    sport: SportCode,
    /// The model type's code, in any letter case.
    #[param(example = "won_on_points")]
    model_type: ModelTypeCode,
    /// The strategy's id, as the leaderboard lists it.
    #[param(example = "follow_line_home")]
    strategy_id: StrategyIdCode,
}

/// A market and one of its strategies.
#[derive(Debug, Clone, Copy)]
pub struct MarketRule {
    /// The market.
    pub market: Market,
    /// The strategy.
    pub rule: Strategy,
}

impl FromPath for MarketRule {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let market = Market::read(segments)?;
        let rule = Strategy::named(segments.text("strategy_id"), market.model_type);
        let rule = rule.map_err(|unknown| ApiError::NotFound(unknown.to_string()))?;
        Ok(Self { market, rule })
    }
}

/// The time at which legacy accounting was deprecated: 21 November 2026, in the format of RFC 9745.
const DEPRECATED_SINCE: &str = "@1795219200";

/// Adds the deprecation headers to an answer under a deprecated accounting.
pub fn with_deprecation(answer: Answer, accounting: Accounting) -> Answer {
    match accounting {
        Accounting::LegacyV1 => {
            answer.with_header(deprecation::HEADER, DEPRECATED_SINCE).with_header("Link", deprecation::LINK)
        }
        Accounting::RecordedV2 => answer,
    }
}

query_params! {
    /// The parameters of a leaderboard beside the season.
    #[derive(Debug)]
    pub struct LeaderboardQuery {
        /// The rules by which bets are priced and counted. `legacy_v1` is deprecated, and still the default if absent: send
        /// `recorded_v2`.
        #[param(value_type = Option<AccountingCode>, default = json!(Accounting::LegacyV1.code()))]
        pub accounting: Option<Accounting> = Given::parsed,
        /// The form of the answer; without it the `Accept` header decides.
        pub format: Option<Format> = Given::format,
    }
}

query_params! {
    /// The parameters of a replay beside the season.
    #[derive(Debug)]
    pub struct ReplayQuery {
        /// The rules by which bets are priced and counted; `recorded_v2` if absent. `legacy_v1` is deprecated.
        #[param(value_type = Option<AccountingCode>, default = json!(Accounting::RecordedV2.code()))]
        pub accounting: Option<Accounting> = Given::parsed,
        /// True to list the finished games with a signal but without a bet, with the reasons. Under `legacy_v1` these are
        /// moneyline bets without a price on their side; its totals and spreads exclude nothing.
        #[param(default = false)]
        pub include_excluded: Option<bool> = Given::boolean,
        /// The form of the answer; without it the `Accept` header decides. In a table the excluded games come after the
        /// bets.
        pub format: Option<Format> = Given::format,
    }
}
