//! The memory of the movement of a long season.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, TimeDelta, Utc};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, HomeSpread, Market, ModelColumn, ModelType, OwnForecasts,
    Probability, Season, Sport, Total, TwoWayPrices,
};
use sports_publication::movement::{EntrySlate, SeasonMovement, SeasonRows};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{a_game, key, season};
use sports_publication::{Extras, Generation, Odds, PredictedGame, Predictions, ReleaseId, SeasonArchive};

const GAMES: u32 = 5_500;
const GAMES_OF_A_DAY: u32 = 40;
const RELEASES_OF_A_DAY: u32 = 12;

fn label() -> Season {
    season(Sport::Ncaab, "2023-24")
}

/// Returns the games of a day, each with its identity.
fn day(number: u32) -> Vec<(String, GameKey)> {
    let date = DateTime::<Utc>::UNIX_EPOCH.date_naive() + Days::new(u64::from(19_666 + number));
    let games = number * GAMES_OF_A_DAY..((number + 1) * GAMES_OF_A_DAY).min(GAMES);
    let named = |game: u32| {
        let (away, home) = (format!("visitors_{game}"), format!("hosts_{game}"));
        let key = key(&date.to_string(), "20:00:00", &away, &home);
        (format!("ncaab-{date}-{away}-{home}"), key)
    };
    games.map(named).collect()
}

/// Returns every line and price, different in each release.
fn lines(game: u32, release: u32) -> GameLines {
    let price = |step: u32| AmericanPrice::new(-100 - i32::try_from((game + release * step) % 60).expect("small")).ok();
    let prices = |step: u32| TwoWayPrices { positive: price(step), negative: price(step + 2) };
    let half = |step: u32| f64::from((game * step + release) % 30) / 2.0;
    GameLines {
        money: prices(1),
        open_money: prices(0),
        spread: HomeSpread::new(half(1) - 7.0).ok(),
        open_spread: HomeSpread::new(half(2) - 7.0).ok(),
        spread_prices: prices(3),
        total: Total::new(130.0 + half(1)).ok(),
        open_total: Total::new(130.0 + half(3)).ok(),
        total_prices: prices(5),
        ..GameLines::default()
    }
}

fn forecasts(game: u32, release: u32) -> Forecasts<'static> {
    let probability = |model: u32| Probability::new(f64::from((game + release) % 97 * 10 + model) / 1e3);
    let given = (0..).zip(ModelColumn::INDIVIDUAL);
    given.fold(Forecasts::default(), |all, (place, model)| all.with(model, probability(place).expect("a probability")))
}

fn odds(games: &[(String, GameKey)], release: u32) -> Odds {
    let quoted = (0..).zip(games).map(|(number, (id, key))| OddsGame {
        key: key.clone(),
        game_id: Some(id.clone()),
        listed_start: None,
        match_id: None,
        lines: lines(number, release),
        quote_source: None,
        last_updated: None,
    });
    Odds::new(quoted.collect()).expect("no game twice")
}

fn predictions(games: &[(String, GameKey)], market: ModelType, release: u32) -> Predictions {
    let predicted = (0..).zip(games).map(|(number, (id, key))| {
        let (lines, forecasts) = (lines(number, release), forecasts(number, release));
        let (game_id, own) = (Some(id.clone()), OwnForecasts::default());
        let game = SlateGame { key: key.clone(), game_id, match_id: None, lines, forecasts, own };
        PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() }
    });
    Predictions::new(market, label(), predicted.collect()).expect("no game twice")
}

/// Notes the releases of a day: every line moves in every second one, and every fourth has new forecasts in each market.
fn note_day(movement: &mut SeasonMovement, number: u32) {
    let games = day(number);
    let midnight = games[0].1.date.and_time(chrono::NaiveTime::MIN).and_utc();
    for release in 0..RELEASES_OF_A_DAY {
        let published_at = midnight + TimeDelta::hours(2 * i64::from(release));
        let generation = Generation::new(u64::from(number * RELEASES_OF_A_DAY + release + 1)).expect("a number");
        let predicted = if release % 4 == 0 { &ModelType::ALL[..] } else { &[] };
        let predicted: Vec<_> =
            predicted.iter().map(|market| (*market, predictions(&games, *market, release))).collect();
        let predictions: BTreeMap<_, _> =
            predicted.iter().map(|(market, file)| (*market, (published_at, file))).collect();
        movement.note(&EntrySlate {
            generation,
            published_at,
            release_id: &ReleaseId::from_log(format!("{generation}")),
            season: label(),
            odds: Some((published_at, &odds(&games, release / 2))),
            predictions,
        });
    }
}

/// Reads an archive of the season for each market.
fn rows() -> SeasonRows {
    let mut rows = SeasonRows::default();
    for model_type in ModelType::ALL {
        let games = (0..GAMES.div_ceil(GAMES_OF_A_DAY)).flat_map(day).map(|(id, key)| {
            let live = a_game().live("r", DateTime::UNIX_EPOCH);
            live.with(|game| (game.facts.key, game.facts.game_id) = (key, Some(id.as_str().into()))).build()
        });
        let market = Market::new(Sport::Ncaab, model_type);
        rows.read(&SeasonArchive::new(market, label(), games.collect()).expect("no game twice"));
    }
    rows
}

#[test]
fn a_college_season_of_1656_releases_takes_at_most_32_mb() {
    let mut movement = SeasonMovement::new(Sport::Ncaab, label(), true);
    (0..GAMES.div_ceil(GAMES_OF_A_DAY)).for_each(|number| note_day(&mut movement, number));
    movement.set_rows(rows());
    assert_eq!((movement.entries().len(), movement.games().len()), (1_656, 5_500));
    let bytes = movement.bytes();
    assert!(bytes <= 32_000_000, "{bytes}");
    // Every line and forecast counts.
    let versions = GAMES * (RELEASES_OF_A_DAY / 2 + 3 * RELEASES_OF_A_DAY / 4);
    let least = size_of::<GameLines>() * usize::try_from(versions).expect("small");
    assert!(bytes >= least, "{bytes} for {versions} versions");
}
