//! A season as input for measurements.

use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Probability, Total,
    TwoWayPrices,
};
use sports_strategies::{Finality, StrategyGame};

/// One recorded game, before signals are derived.
pub struct RecordedGame {
    lines: GameLines,
    score: FinalScore,
    forecasts: Forecasts<'static>,
}

/// Generates a college basketball season with every price, lines that move both ways, and pushes.
pub fn season(games: u16) -> Vec<RecordedGame> {
    let price = |raw: u16| AmericanPrice::new(-100 - i32::from(raw % 40)).ok();
    let prices = |number: u16| TwoWayPrices { positive: price(number * 7), negative: price(number * 11) };
    let halves = |number: u16, many: u16| f64::from(number % many) / 2.0;
    let recorded = |number: u16| RecordedGame {
        lines: GameLines {
            money: prices(number),
            open_money: prices(number / 3),
            spread: HomeSpread::new(halves(number, 31) - 8.0).ok(),
            open_spread: HomeSpread::new(halves(number, 29) - 7.0).ok(),
            spread_prices: prices(number / 2),
            total: Total::new(120.0 + halves(number, 61)).ok(),
            open_total: Total::new(120.0 + halves(number, 59)).ok(),
            total_prices: prices(number / 5),
            ..GameLines::default()
        },
        score: FinalScore { away: 55 + number % 37, home: 55 + number % 41 },
        forecasts: Probability::new(f64::from(number % 997) / 997.0)
            .map_or(Forecasts::default(), |probability| Forecasts::default().with(ModelColumn::Blend, probability)),
    };
    (0..games).map(recorded).collect()
}

/// Converts the games to the input of the strategies.
pub fn games(model_type: ModelType, recorded: &[RecordedGame]) -> Vec<StrategyGame<'static>> {
    let game = |recorded: &RecordedGame| {
        let (lines, score) = (&recorded.lines, Some(recorded.score));
        StrategyGame::new(model_type, lines, score, recorded.forecasts, Finality::Verified, ModelColumn::Blend)
    };
    recorded.iter().map(game).collect()
}
