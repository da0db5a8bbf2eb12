//! Arbitrary games as input of the strategies.

use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Probability, Total,
    TwoWayPrices,
};
use sports_strategies::{Finality, StrategyGame};

/// A recorded game, before signals are derived.
#[derive(Debug, Clone)]
pub struct RecordedGame {
    pub lines: GameLines,
    pub score: Option<FinalScore>,
    pub forecasts: Forecasts<'static>,
    pub finality: Finality,
}

impl RecordedGame {
    /// Derives the signals, with the edge of BLEND.
    pub fn game(&self, model_type: ModelType) -> StrategyGame<'static> {
        StrategyGame::new(model_type, &self.lines, self.score, self.forecasts, self.finality, ModelColumn::Blend)
    }
}

fn any_price() -> impl Strategy<Value = Option<AmericanPrice>> {
    let raw = prop_oneof![4 => -180..=-100_i32, 4 => 100..=180_i32, 1 => any::<i32>()];
    proptest::option::weighted(0.85, raw).prop_map(|raw| raw.and_then(|raw| AmericanPrice::new(raw).ok()))
}

fn any_prices() -> impl Strategy<Value = TwoWayPrices> {
    (any_price(), any_price()).prop_map(|(positive, negative)| TwoWayPrices { positive, negative })
}

/// Generates mostly half points near each other, so that moves, pushes and pick'ems are common; sometimes any value.
fn any_points() -> impl Strategy<Value = Option<f64>> {
    let near = (-8..=8_i32).prop_map(|halves| f64::from(halves) / 2.0);
    proptest::option::weighted(0.9, prop_oneof![15 => near, 1 => any::<f64>()])
}

prop_compose! {
    fn any_lines()(
        money in any_prices(), spread_prices in any_prices(), total_prices in any_prices(), open_money in any_prices(),
        spread in any_points(), open_spread in any_points(), total in any_points(), open_total in any_points(),
    ) -> GameLines {
        let total_of = |points: Option<f64>| points.and_then(|points| Total::new(points + 10.0).ok());
        let spread_of = |points: Option<f64>| points.and_then(|points| HomeSpread::new(points).ok());
        GameLines {
            money, spread_prices, total_prices, open_money,
            spread: spread_of(spread), open_spread: spread_of(open_spread),
            total: total_of(total), open_total: total_of(open_total), ..GameLines::default()
        }
    }
}

prop_compose! {
    /// Generates a game; most are finished, priced and predicted.
    pub fn any_incoming()(
        lines in any_lines(), score in proptest::option::weighted(0.9, (0..=10_u16, 0..=10_u16)),
        blend in proptest::option::weighted(0.9, prop_oneof![9 => 0.3..0.7_f64, 1 => 0.0..=1.0_f64]),
        verified in proptest::bool::weighted(0.9),
    ) -> RecordedGame {
        let blend = blend.and_then(|probability| Probability::new(probability).ok());
        let forecasts = Forecasts::default();
        RecordedGame {
            lines,
            score: score.map(|(away, home)| FinalScore { away, home }),
            forecasts: blend.map_or(forecasts, |probability| forecasts.with(ModelColumn::Blend, probability)),
            finality: if verified { Finality::Verified } else { Finality::Unverified },
        }
    }
}

prop_compose! {
    /// Generates a market and up to 120 games.
    pub fn any_season()(
        model_type in proptest::sample::select(ModelType::ALL.to_vec()),
        recorded in proptest::collection::vec(any_incoming(), 0..120),
    ) -> (ModelType, Vec<RecordedGame>) { (model_type, recorded) }
}
