//! A season as it was known some time before each start, with values by hand.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, HomeSpread, Market, ModelColumn, ModelName, ModelType,
    OwnForecasts, Probability, Season, Sport, TeamSlug, TwoWayPrices,
};
use sports_publication::movement::{BeforeStart, EntrySlate, KnownSeason, SeasonMovement, SeasonRows};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{GameBuilder, a_game};
use sports_publication::{Extras, Generation, Odds, PredictedGame, Predictions, ReleaseId, SeasonArchive};

const GAME: &str = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
const SPREAD: ModelType = ModelType::WonOnSpread;

fn at(text: &str) -> DateTime<Utc> {
    format!("2024-01-06T{text}:00Z").parse().expect("a time")
}

fn season() -> Season {
    Season::parse(Sport::Nfl, "2023-24").expect("a season")
}

/// Returns the game, which starts at 21:30 UTC.
fn key() -> GameKey {
    let team = |name| TeamSlug::normalise(name).expect("a team");
    let (away, home) = (team("pittsburgh_steelers"), team("baltimore_ravens"));
    GameKey {
        date: "2024-01-06".parse().expect("a date"),
        time: "16:30:00".parse().ok(),
        away,
        home,
        game_number: None,
    }
}

fn name(text: &str) -> ModelName {
    text.parse().expect("a name")
}

fn spread(points: f64) -> GameLines {
    let price = AmericanPrice::new(-110).ok();
    let spread_prices = TwoWayPrices { positive: price, negative: price };
    GameLines { spread: HomeSpread::new(points).ok(), spread_prices, ..GameLines::default() }
}

fn predicted(blend: f64) -> Predictions {
    let probability = Probability::new(blend).expect("a probability");
    let mut own = OwnForecasts::default();
    own.insert(name("ELO"), probability);
    let game = SlateGame {
        key: key(),
        game_id: Some(GAME.to_owned()),
        match_id: Some("week18".to_owned()),
        lines: spread(-3.0),
        forecasts: Forecasts::default().with(ModelColumn::Blend, probability),
        own,
    };
    let game = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
    Predictions::new(SPREAD, season(), vec![game]).expect("one game")
}

fn quoted() -> Odds {
    let game = OddsGame {
        key: key(),
        game_id: Some(GAME.to_owned()),
        listed_start: None,
        match_id: None,
        lines: spread(-3.5),
        quote_source: None,
        last_updated: None,
    };
    Odds::new(vec![game]).expect("one game")
}

/// Predictions at 15:00 and 16:00, odds at 15:10, and a row of the archive that a release recorded.
fn movement(run: &str) -> SeasonMovement {
    let mut movement = SeasonMovement::new(Sport::Nfl, season(), true);
    let (first, odds, second) = (predicted(0.6), quoted(), predicted(0.7));
    let of = |time, predictions| BTreeMap::from([(SPREAD, (at(time), predictions))]);
    let entries = [
        ("15:00", None, of("14:50", &first)),
        ("15:10", Some((at("15:05"), &odds)), BTreeMap::new()),
        ("16:00", None, of("15:50", &second)),
    ];
    for (number, (time, odds, predictions)) in (1..).zip(entries) {
        movement.note(&EntrySlate {
            generation: Generation::new(number).expect("a number"),
            published_at: at(time),
            release_id: &ReleaseId::from_log(format!("r{number}")),
            season: season(),
            odds,
            predictions,
        });
    }
    record(&mut movement, a_game().unplayed().blend(0.7).live(run, at("16:00")));
    movement
}

/// Replaces the rows by one of the game.
fn record(movement: &mut SeasonMovement, row: GameBuilder) {
    let row = row.with(|game| {
        game.facts.key = key();
        game.facts.game_id = Some(GAME.to_owned());
    });
    let mut rows = SeasonRows::default();
    let market = Market::new(Sport::Nfl, SPREAD);
    rows.read(&SeasonArchive::new(market, season(), vec![row.build()]).expect("one game"));
    movement.set_rows(rows);
}

fn known_season(movement: &SeasonMovement, hours: f64, now: &str) -> KnownSeason {
    movement.known_season(SPREAD, BeforeStart::of_hours(hours).expect("hours"), at(now))
}

#[test]
fn a_game_is_given_as_the_predictions_and_the_odds_had_it() {
    let movement = movement("r3");
    for (hours, known_at, generation, published, blend, odds) in [
        (6.0, "15:30", 2, "15:00", 0.6, Some("15:10")),
        (6.5, "15:00", 1, "15:00", 0.6, None),
        (5.5, "16:00", 3, "16:00", 0.7, Some("15:10")),
    ] {
        let season = known_season(&movement, hours, "23:00");
        let [game] = &*season.games else { panic!("one game") };
        assert_eq!((season.unknown, season.has_finals), (0, false));
        assert_eq!((game.starts_at, game.known_at), (at("21:30"), at(known_at)), "{hours}");
        assert_eq!((game.generation.get(), game.predictions_published_at), (generation, at(published)), "{hours}");
        assert_eq!(game.odds_published_at, odds.map(at), "{hours}");
        assert_eq!(game.odds, if odds.is_some() { spread(-3.5) } else { GameLines::default() }, "{hours}");
        assert_eq!(game.game.forecasts.get(ModelColumn::Blend).map(Probability::get), Some(blend), "{hours}");
        assert_eq!((&game.game.lines, game.game.match_id.as_deref()), (&spread(-3.0), Some("week18")));
    }
}

#[test]
fn a_game_without_a_forecast_of_then_is_unknown_unless_it_was_imported() {
    let early = known_season(&movement("r3"), 7.0, "23:00");
    assert_eq!((early.games.len(), early.unknown), (0, 1));
    let imported = known_season(&movement("elsewhere"), 7.0, "23:00");
    assert_eq!((imported.games.len(), imported.unknown), (0, 0));
}

#[test]
fn a_game_whose_forecast_was_withdrawn_is_unknown_before_its_first_forecast() {
    let unforecast = |predicted: bool| {
        let mut movement = if predicted { movement("r3") } else { SeasonMovement::new(Sport::Nfl, season(), true) };
        if !predicted {
            let odds = quoted();
            movement.note(&EntrySlate {
                generation: Generation::FIRST,
                published_at: at("12:00"),
                release_id: &ReleaseId::from_log("r1".to_owned()),
                season: season(),
                odds: Some((at("12:00"), &odds)),
                predictions: BTreeMap::new(),
            });
        }
        record(&mut movement, a_game().unforecast());
        let counted = |hours| {
            let season = known_season(&movement, hours, "23:00");
            (season.games.len(), season.unknown)
        };
        [counted(7.0), counted(6.0)]
    };
    assert_eq!(unforecast(true), [(0, 1), (1, 0)]);
    assert_eq!(unforecast(false), [(0, 0), (0, 0)], "this log never predicted it");
}

#[test]
fn a_game_whose_instant_has_not_come_is_neither_known_nor_unknown() {
    let movement = movement("r3");
    let counted = |now| {
        let season = known_season(&movement, 1.0, now);
        (season.games.len(), season.unknown)
    };
    assert_eq!([counted("20:29"), counted("20:30")], [(0, 0), (1, 0)]);
}

#[test]
fn finals_are_judged_by_the_line_of_the_row() {
    let season = known_season(&movement("r3"), 6.0, "23:00");
    let three = season.with_finals(|id| (id == GAME).then_some(FinalScore { away: 14, home: 17 }));
    assert!(three.has_finals);
    let game = three.games[0].market_game(SPREAD);
    assert_eq!((game.push(), game.positive_won()), (Some(true), Some(false)), "−3 and a margin of three");
}

#[test]
fn own_models_are_those_of_the_season_and_of_the_rows_as_they_were_declared() {
    let declared = || ["nn_v2", "ELO", "GLM"].map(name).into_iter();
    let of = |hours, season: &[ModelName]| {
        known_season(&movement("r3"), hours, "23:00").with_models(season, declared()).models
    };
    assert_eq!(of(6.0, &[name("GLM"), name("stray")]), ["ELO", "GLM", "stray"].map(name));
    assert_eq!(of(6.0, &[name("nn_v2")]), ["nn_v2", "ELO"].map(name));
    assert_eq!(of(7.0, &[name("nn_v2")]), [name("nn_v2")], "no row has ELO");
}
