//! A season for benchmarks.

use chrono::{Days, NaiveDate};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, HomeSpread, ModelColumn, ModelType, Probability,
    TeamSlug, TwoWayPrices,
};
use sports_grading::MarketGame;

/// A college basketball season lasts for 150 days.
pub const GAMES_OF_A_DAY: u16 = 37;

fn date(day: u16) -> NaiveDate {
    NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date") + Days::new(day.into())
}

/// Returns a generator of numbers that a branch predictor cannot predict.
fn noise(mut seed: u64) -> impl FnMut(u16) -> u16 {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from((seed >> 33) % u64::from(below)).expect("small")
    }
}

pub struct RecordedGame {
    pub key: GameKey,
    pub lines: GameLines,
    pub score: FinalScore,
    forecasts: Forecasts<'static>,
}

impl RecordedGame {
    pub fn market(&self) -> MarketGame<'static> {
        MarketGame::new(ModelType::WonOnSpread, &self.lines, Some(self.score), self.forecasts)
    }
}

/// Generates a season of spreads with every model and both prices; some games are pushes.
pub fn season(games: u16) -> Vec<RecordedGame> {
    let mut noise = noise(17);
    let mut price = move || AmericanPrice::new(-100 - i32::from(noise(40))).ok();
    let mut noise = self::noise(4);
    let game = |number: u16| {
        let team = |name: u16| TeamSlug::normalise(&format!("team {name}")).expect("a team");
        let (away, home) = (team(number % 50), team(50 + number % 37));
        let key = GameKey { date: date(number / GAMES_OF_A_DAY), time: None, away, home, game_number: None };
        let lines = GameLines {
            spread: HomeSpread::new(f64::from(noise(31)) / 2.0 - 8.0).ok(),
            spread_prices: TwoWayPrices { positive: price(), negative: price() },
            ..GameLines::default()
        };
        let score = FinalScore { away: 55 + noise(37), home: 55 + noise(41) };
        let forecasts = ModelColumn::FORECASTS.into_iter().fold(Forecasts::default(), |forecasts, model| {
            forecasts.with(model, Probability::new(f64::from(noise(997)) / 997.0).expect("a probability"))
        });
        RecordedGame { key, lines, score, forecasts }
    };
    (0..games).map(game).collect()
}
