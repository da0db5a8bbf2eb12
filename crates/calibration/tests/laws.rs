//! Properties of the calibration of any season.

use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use sports_calibration::{
    Calibration, MarketVerdict, ModelForecasts, SampleSize, Scores, SettledForecast, SplitMix64, calibrate,
};
use sports_domain::{AmericanPrice, Probability, Side};

fn forecast(day: u64, model: f64, market: Option<f64>, won: bool, price: i32) -> SettledForecast {
    let probability = |raw| Probability::new(raw).expect("a probability");
    SettledForecast {
        date: NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(day),
        probability: probability(model),
        market: market.map(probability),
        winner: if won { Side::Positive } else { Side::Negative },
        price: AmericanPrice::new(price).ok(),
    }
}

fn one_model(forecasts: Vec<SettledForecast>) -> Calibration {
    calibrate(&[ModelForecasts { model: "BLEND", forecasts }], "a snapshot").remove(0)
}

fn scores(forecasts: Vec<SettledForecast>) -> Scores {
    one_model(forecasts).scores.expect("games")
}

/// Generates probabilities, including some with four decimals and the extremes.
fn any_probability() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0_u32..=10_000).prop_map(|raw| f64::from(raw) / 1e4),
        2 => 0.0..=1.0_f64,
        1 => prop::sample::select(vec![0.0, 0.1, 0.3, 0.5, 0.7, 1.0]),
    ]
}

fn any_forecast() -> impl Strategy<Value = SettledForecast> {
    let price = prop::sample::select(vec![0, -110, -250, 130]);
    (0_u64..12, any_probability(), prop::option::weighted(0.8, any_probability()), any::<bool>(), price)
        .prop_map(|(day, model, market, won, price)| forecast(day, model, market, won, price))
}

fn any_season() -> impl Strategy<Value = Vec<SettledForecast>> {
    prop::collection::vec(any_forecast(), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_decompositions_add_up_to_the_score(season in any_season()) {
        let scores = scores(season);
        let (corp, murphy) = (&scores.corp, scores.murphy);
        prop_assert!((corp.mcb - corp.dsc + corp.unc - scores.brier).abs() < 1e-12);
        let in_bins = murphy.rel - murphy.res + murphy.unc + murphy.wbv - murphy.wbc;
        prop_assert!((in_bins - scores.brier).abs() < 1e-12, "{} {}", in_bins, scores.brier);
        prop_assert!((0.0..=1.0).contains(&scores.brier) && scores.log_loss >= 0.0);
        prop_assert!(corp.mcb > -1e-12 && corp.dsc > -1e-12 && (0.0..=0.25).contains(&corp.unc));
    }

    #[test]
    fn blocks_hold_every_game_and_rise(season in any_season()) {
        let games = season.len();
        let calibration = one_model(season);
        let scores = calibration.scores.expect("games");
        let blocks = &scores.corp.blocks;
        prop_assert_eq!(blocks.iter().map(|block| block.games as usize).sum::<usize>(), games);
        prop_assert_eq!(scores.bins.iter().map(|bin| bin.games as usize).sum::<usize>(), games);
        for pair in blocks.windows(2) {
            prop_assert!(pair[0].p_max < pair[1].p_min && pair[0].rate() < pair[1].rate());
        }
        prop_assert_eq!(scores.perfect.bands.len(), blocks.len());
        for band in &scores.perfect.bands {
            prop_assert!(-1e-12 <= band.low && band.low <= band.high && band.high <= 1.0 + 1e-12);
        }
    }

    /// Forecasts replaced by their blocks' rates cannot be improved by recalibration.
    #[test]
    fn recalibrated_forecasts_have_no_miscalibration(season in any_season()) {
        let blocks = scores(season.clone()).corp.blocks;
        let recalibrated = season.into_iter().map(|forecast| {
            let own = forecast.probability.get();
            let block = blocks.iter().find(|block| (block.p_min..=block.p_max).contains(&own)).expect("a block");
            SettledForecast { probability: Probability::new(block.rate()).expect("a rate"), ..forecast }
        });
        let corp = scores(recalibrated.collect()).corp;
        prop_assert_eq!(corp.mcb.to_bits(), 0.0_f64.to_bits());
        prop_assert_eq!(corp.blocks.len(), blocks.len());
    }

    #[test]
    fn the_order_of_rows_changes_no_bit(
        (season, shuffled) in any_season().prop_flat_map(|season| (Just(season.clone()), Just(season).prop_shuffle())),
    ) {
        prop_assert_eq!(one_model(season), one_model(shuffled));
    }

    /// Scores do not depend on which side is the positive one.
    #[test]
    fn the_complement_of_every_forecast_has_the_same_scores(season in any_season()) {
        let other = season.iter().map(|forecast| SettledForecast {
            probability: forecast.probability.complement(),
            winner: forecast.winner.opposite(),
            ..*forecast
        });
        let (one, other) = (scores(season.clone()), scores(other.collect()));
        for (one, other) in [
            (one.brier, other.brier), (one.log_loss, other.log_loss), (one.corp.mcb, other.corp.mcb),
            (one.corp.dsc, other.corp.dsc), (one.corp.unc, other.corp.unc),
        ] {
            prop_assert!((one - other).abs() < 1e-9, "{} {}", one, other);
        }
    }

    #[test]
    fn a_verdict_needs_a_p_value_and_a_p_value_thirty_games(season in any_season()) {
        let calibration = one_model(season);
        let enough = calibration.market.is_some_and(|market| market.games >= 30);
        prop_assert!(enough || calibration.p_holm.is_none());
        prop_assert!(calibration.p_holm.is_some() || calibration.verdict == MarketVerdict::Undecided);
        let of_draws = calibration.scores.expect("games").perfect.mcb_p;
        prop_assert_eq!(of_draws.is_some(), calibration.games >= 30);
        prop_assert_eq!(calibration.games >= 30, SampleSize::from_games(calibration.games) != SampleSize::TooFew);
        prop_assert!(of_draws.is_none_or(|p| p > 0.0 && p <= 1.0));
    }
}

#[test]
fn a_model_without_a_game_has_no_figures() {
    let calibration = one_model(Vec::new());
    assert_eq!((calibration.games, &calibration.scores, &calibration.market), (0, &None, &None));
    assert_eq!((calibration.picks.rate, calibration.picks.roi, calibration.p_holm), (None, None, None));
    assert_eq!((calibration.verdict, calibration.sample()), (MarketVerdict::Undecided, SampleSize::TooFew));
}

/// A perfect forecaster of .8 wins or loses the game: a miscalibration of .04 or of .64.
#[test]
fn one_game_has_scores_and_no_interval() {
    let calibration = one_model(vec![forecast(0, 0.8, Some(0.6), true, -110)]);
    let scores = calibration.scores.expect("a game");
    assert!((scores.brier - 0.04).abs() < 1e-12 && (scores.corp.mcb - 0.04).abs() < 1e-12);
    assert_eq!((scores.corp.unc.to_bits(), scores.perfect.mcb_p), (0.0_f64.to_bits(), None));
    // .2 or .8 from the rate: .2 · .8 + .8 · .2 on average.
    assert!((scores.perfect.ece_mean - 0.32).abs() < 0.04, "{}", scores.perfect.ece_mean);
    let market = calibration.market.expect("a price");
    assert_eq!((market.games, market.dates, market.brier.se, market.brier.interval), (1, 1, None, None));
    assert_eq!(calibration.picks.roi_interval, None);
    assert!(calibration.picks.wilson.is_some_and(|interval| interval.high > 0.999));
}

#[test]
fn right_certainty_has_no_loss_and_a_perfect_forecaster_has_the_same_scores() {
    let season = (0..40).map(|day| forecast(day, f64::from(u8::from(day % 3 == 0)), Some(0.5), day % 3 == 0, -110));
    let calibration = one_model(season.collect());
    let scores = calibration.scores.expect("games");
    assert!(scores.brier < 1e-12 && scores.corp.mcb.abs() < 1e-12 && scores.ece10 < 1e-12);
    assert_eq!((scores.clipped, scores.perfect.mcb_p), (40, Some(1.0)));
    assert!(scores.perfect.ece_mean < 1e-12 && scores.perfect.ece.high < 1e-12);
    // All picks right, at -110: ten elevenths of a unit each, on every date.
    assert_eq!((calibration.picks.wins, calibration.picks.losses), (40, 0));
    let roi = calibration.picks.roi_interval.expect("dates");
    assert!((roi.low - 10.0 / 11.0).abs() < 1e-12 && (roi.high - 10.0 / 11.0).abs() < 1e-12);
    assert!(calibration.picks.wilson.is_some_and(|interval| interval.low > 0.9 && interval.high > 0.999));
}

/// Certain and wrong in half of the games.
#[test]
fn wrong_certainty_is_miscalibrated_beyond_chance() {
    let scores = scores((0..40).map(|day| forecast(day, 1.0, None, day % 2 == 0, 0)).collect());
    assert!((scores.brier - 0.5).abs() < 1e-12 && (scores.corp.mcb - 0.25).abs() < 1e-12);
    assert_eq!(scores.perfect.mcb_p, Some(1.0 / 1001.0));
}

/// Among perfect forecasters, about one in ten has a p-value below a tenth.
#[test]
fn a_tenth_of_perfect_forecasters_have_a_p_value_below_a_tenth() {
    let mut generator = SplitMix64::from_seed(3);
    let mut chance = || f64::from(u32::try_from(generator.below(10_000)).expect("small")) / 1e4;
    let mut season = || {
        (0..100)
            .map(|day| {
                let p = chance();
                forecast(day, p, None, chance() < p, 0)
            })
            .collect()
    };
    let found = (0..200).filter(|_| scores(season()).perfect.mcb_p.is_some_and(|p| p < 0.1)).count();
    // Four standard deviations of a count of 20 in 200 are 17.
    assert!((3..=37).contains(&found), "{found}");
}

#[test]
fn a_models_draws_are_seeded_by_the_snapshot_and_its_name_alone() {
    let season: Vec<_> = (0..60).map(|day| forecast(day, 0.6, Some(0.5), day % 2 == 0, -110)).collect();
    let named = |model, snapshot| calibrate(&[ModelForecasts { model, forecasts: season.clone() }], snapshot).remove(0);
    let beside = [("XT", Vec::new()), ("BLEND", season.clone())];
    let beside = beside.map(|(model, forecasts)| ModelForecasts { model, forecasts });
    assert_eq!(named("BLEND", "a"), named("BLEND", "a"));
    assert_eq!(named("BLEND", "a"), calibrate(&beside, "a")[1], "a model without a game changes no other");
    assert_ne!(named("BLEND", "a"), named("BLEND", "b"));
    assert_ne!(named("BLEND", "a"), named("XT", "a"));
}

/// A single p-value is multiplied by the number of models that have one.
#[test]
fn p_values_are_corrected_over_the_models_with_enough_games() {
    let season: Vec<_> = (0..60).map(|day| forecast(day, 0.7, Some(0.5), day % 3 != 0, 0)).collect();
    let few = season[..20].to_vec();
    let of = |models: Vec<Vec<SettledForecast>>| {
        let models: Vec<_> = models.into_iter().map(|forecasts| ModelForecasts { model: "A", forecasts }).collect();
        calibrate(&models, "a snapshot").into_iter().map(|calibration| calibration.p_holm).collect::<Vec<_>>()
    };
    let alone = of(vec![season.clone()])[0].expect("a p-value");
    let together = of(vec![season.clone(), few, Vec::new(), season]);
    assert_eq!((together[1], together[2]), (None, None));
    assert!((together[0].expect("a p-value") - (2.0 * alone).min(1.0)).abs() < 1e-12 && alone < 0.5);
}
