//! A season for benchmarks.

use chrono::{Days, NaiveDate};
use sports_calibration::{ModelForecasts, SettledForecast, SplitMix64};
use sports_domain::{AmericanPrice, Probability, Side};

const MODELS: [&str; 7] = ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

/// A college basketball season lasts for 150 days.
const GAMES_OF_A_DAY: usize = 37;

/// Generates seven models whose probabilities are near the market's and have four decimals, like real files.
pub fn season(games: usize) -> Vec<ModelForecasts<'static>> {
    let mut generator = SplitMix64::from_seed(7);
    let mut chance =
        move |from: usize, to: usize| f64::from(u32::try_from(from + generator.below(to - from)).unwrap_or(0)) / 1e4;
    let first = NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date");
    let date = |game: usize| first + Days::new((game / GAMES_OF_A_DAY).try_into().expect("few"));
    let probability = |raw: f64| Probability::new(raw.clamp(0.0, 1.0)).expect("a probability");
    let played: Vec<_> = (0..games)
        .map(|game| {
            let market = chance(1_500, 8_500);
            let winner = if chance(0, 10_000) < market { Side::Positive } else { Side::Negative };
            (date(game), market, winner)
        })
        .collect();
    let mut forecasts = |_: &str| {
        let forecast = |(date, market, winner): &(NaiveDate, f64, Side)| SettledForecast {
            date: *date,
            probability: probability(((market + chance(0, 2_000) - 0.1) * 1e4).round() / 1e4),
            market: Some(probability(*market)),
            winner: *winner,
            price: AmericanPrice::new(-110).ok(),
        };
        played.iter().map(forecast).collect()
    };
    MODELS.map(|model| ModelForecasts { model, forecasts: forecasts(model) }).into()
}
