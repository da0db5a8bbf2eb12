//! The calibration of a publisher's own models, calculated by hand, and Holm's correction beside them.

use chrono::{Days, NaiveDate};
use sports_calibration::{Calibration, ModelForecasts, SettledForecast, calibrate};
use sports_domain::{AmericanPrice, FinalScore, Forecasts, GameLines, ModelId, ModelType, TwoWayPrices};
use sports_grading::MarketGame;

const NONE: f64 = f64::NAN;

/// Day, home and away price, away and home score, and the probabilities of ELO and `nn_v2`.
type Game = (u64, [i32; 2], (u16, u16), [f64; 2]);

const GAMES: [Game; 5] = [
    (0, [-150, 130], (17, 24), [0.62, 0.58]),
    (3, [120, -140], (24, 17), [0.55, NONE]),
    (3, [-110, -110], (16, 20), [0.5, 0.45]),
    (4, [-200, 170], (16, 22), [NONE, 0.7]),
    (7, [-120, 100], (20, 20), [0.6, NONE]),
];

/// Returns the forecasts of the own model at a place.
fn forecasts(games: &[Game], model: usize) -> Vec<SettledForecast> {
    let settled = games.iter().filter_map(|(day, prices, (away, home), own)| {
        let [positive, negative] = prices.map(|raw| AmericanPrice::new(raw).ok());
        let lines = GameLines { money: TwoWayPrices { positive, negative }, ..GameLines::default() };
        let mut block = [NONE; 8];
        block[..2].copy_from_slice(own);
        let (own, score) = ([block], Some(FinalScore { away: *away, home: *home }));
        let game = MarketGame::new(ModelType::WonOnPoints, &lines, score, Forecasts::default().with_own(&own));
        let date = NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(*day);
        SettledForecast::from_game(date, &game, ModelId::own(model).expect("a place"))
    });
    settled.collect()
}

fn calibrated(models: &[(&str, Vec<SettledForecast>)]) -> Vec<Calibration> {
    let models = models.iter().map(|(model, forecasts)| ModelForecasts { model, forecasts: forecasts.clone() });
    calibrate(&models.collect::<Vec<_>>(), "a snapshot")
}

/// ELO's errors are 0.38, 0.55 and 0.5, `nn_v2`'s 0.42, 0.55 and 0.3; the push and games without a value do not count.
#[test]
fn the_scores_of_the_hand_league_are_calculated_by_hand() {
    let [elo, nn] = [0, 1].map(|model| calibrated(&[("a model", forecasts(&GAMES, model))]).remove(0));
    assert_eq!((elo.games, nn.games), (3, 3));
    let brier = |calibration: &Calibration| calibration.scores.as_ref().expect("games").brier;
    assert!((brier(&elo) - (0.1444 + 0.3025 + 0.25) / 3.0).abs() < 1e-12);
    assert!((brier(&nn) - 0.189_633).abs() < 1e-6);
    assert!((elo.market.expect("prices").implied_brier - 0.206_116).abs() < 1e-6);
}

/// Six models of a season of sixty games, two of them own ones: the smallest p-value is multiplied by six, not by four.
#[test]
fn p_values_are_corrected_over_own_models_too() {
    let season: Vec<Game> = (0..60)
        .map(|day: u64| {
            let away = u16::from(day.is_multiple_of(5));
            (day, [-110, -110], (away, 1 - away), [0.7, NONE])
        })
        .collect();
    let one = forecasts(&season, 0);
    let alone = calibrated(&[("BLEND", one.clone())]).remove(0);
    let of = |names: &[&'static str]| calibrated(&names.iter().map(|name| (*name, one.clone())).collect::<Vec<_>>());
    let (four, six) = (of(&["BLEND", "XGB", "RF", "LGB"]), of(&["BLEND", "XGB", "RF", "LGB", "ELO", "nn_v2"]));
    let p = alone.p_holm.expect("sixty games");
    assert!(p * 6.0 < 1.0, "{p}");
    for (all, by) in [(&four, 4.0), (&six, 6.0)] {
        assert!((all[0].p_holm.expect("a p-value") - p * by).abs() < 1e-12);
    }
    let uncorrected =
        |calibration: &Calibration| Calibration { p_holm: None, verdict: alone.verdict, ..calibration.clone() };
    assert_eq!(uncorrected(&four[0]), uncorrected(&six[0]), "every other figure is unchanged");
}
