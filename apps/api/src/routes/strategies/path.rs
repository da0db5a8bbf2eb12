use sports_domain::Market;
use sports_strategies::Rule;
use utoipa::IntoParams;

use crate::codes::{ModelTypeCode, SportCode, StrategyIdCode};
use crate::error::ApiError;
use crate::paths::{FromPath, Segments};

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
    pub rule: Rule,
}

impl FromPath for MarketRule {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let market = Market::read(segments)?;
        let rule = Rule::named(segments.text("strategy_id"), market.model_type);
        let rule = rule.map_err(|unknown| ApiError::NotFound(unknown.to_string()))?;
        Ok(Self { market, rule })
    }
}
