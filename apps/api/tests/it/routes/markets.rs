//! The market comparison in one process, from published games over the stand-in for the exchange to the answer.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_api::prices::{game_prices, use_ring};
use sports_demo::exchange;
use sports_demo::simulation::exchange::{Exchange, Fault};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, ModelType, OwnForecasts, Probability, Sport, TeamSlug,
    TwoWayPrices,
};
use sports_ports::Clock;
use sports_ports::prices::{GamePrices, NoPrices};
use sports_program::settings::{Prices, ServiceUrl, Settings};
use sports_publication::slate::SlateGame;
use sports_telemetry::dependencies::Dependencies;
use sports_testkit::clock::ClockFake;
use sports_usecases::markets::Markets;

use crate::slates::slate_of;
use crate::support::{NOW, World};

const ODDS_AS_OF: &str = "2025-05-01T11:00:00Z";

/// Publishes half an hour before [`NOW`] a doubleheader of baseball, whose first game has started since, and a game
/// of college football.
async fn published() -> World {
    let world = World::starting_at("2025-05-01T11:30:00Z");
    for (sport, season) in [(Sport::Mlb, "2025"), (Sport::Ncaaf, "2024-25")] {
        let slate = slate_of(sport, season, "2025-05-01");
        let games = games(sport).expect("published");
        world.publish(&slate.predicting(ModelType::WonOnPoints, ODDS_AS_OF, games).release()).await;
    }
    world.clock.advance(TimeDelta::minutes(30));
    world
}

fn games(sport: Sport) -> Option<Vec<SlateGame>> {
    let boston = |time, number| a_game(("boston_red_sox", "st_louis_cardinals"), time, number);
    match sport {
        // It is 08:00 Eastern.
        Sport::Mlb => Some(vec![boston("08:00:00", Some(1)), boston("18:15:00", Some(2))]),
        Sport::Ncaaf => Some(vec![a_game(("kansas", "iowa"), "19:00:00", None)]),
        _ => None,
    }
}

/// Returns a game with a blend of 0.58 and book prices of -150 and +130: without the margin 0.579832 and 0.420168.
fn a_game((away, home): (&str, &str), time: &str, game_number: Option<u8>) -> SlateGame {
    let team = |name| TeamSlug::normalise(name).expect("a team");
    let (date, time) = ("2025-05-01".parse().expect("a date"), time.parse().ok());
    let money = TwoWayPrices { positive: AmericanPrice::new(-150).ok(), negative: AmericanPrice::new(130).ok() };
    SlateGame {
        key: GameKey { date, time, away: team(away), home: team(home), game_number },
        game_id: None,
        match_id: None,
        lines: GameLines { money, ..GameLines::default() },
        forecasts: Forecasts::default().with(ModelColumn::Blend, Probability::new(0.58).expect("valid")),
        own: OwnForecasts::default(),
    }
}

/// Creates an API whose prices come from an exchange on this machine that lists the published games.
async fn with_exchange() -> (World, Exchange) {
    use_ring();
    let world = published().await.admitting_a_subscriber().await;
    let clock: Arc<dyn Clock> = world.clock.clone();
    let listing = |sport| games(sport).map(|games| exchange::listed(&games)).unwrap_or_default();
    let mut settings = Settings::default();
    let started = exchange::start(&mut settings, Arc::new(listing), Arc::clone(&clock)).await.expect("a server");
    let prices = game_prices(&settings.prices, &clock, &Dependencies::default().prices).expect("an address");
    (with_markets(world, prices), started.expect("none was set"))
}

fn with_markets(mut world: World, prices: Arc<dyn GamePrices>) -> World {
    let clock = world.clock.clone();
    world.replace(|state| state.published.markets = Markets::new(clock, prices));
    world
}

const BOSTON_AT_ST_LOUIS: &str = "mlb-2025-05-01-boston_red_sox-st_louis_cardinals";
const SECOND_AT_ST_LOUIS: &str = "mlb-2025-05-01-boston_red_sox-st_louis_cardinals-2";

fn without_prices(game_id: &str, away: &str, home: &str, time: &str) -> Value {
    json!({
        "game_id": game_id,
        "date": "2025-05-01", "time": time, "away_team": away, "home_team": home,
        "model_home": 0.58, "model_away": 0.42, "book_home": 0.579_831_932_773, "book_away": 0.420_168_067_227,
        "kalshi_home": null, "kalshi_away": null, "edge_home": 0.000_168_067_227,
    })
}

#[actix_web::test]
async fn an_upcoming_game_has_both_prices_and_a_started_one_none() {
    let (world, exchange) = with_exchange().await;
    let answer = world.get_with_key("/api/v1/markets/MLB").await.json();
    assert_eq!((&answer["sport"], &answer["as_of"]), (&json!("mlb"), &json!(NOW)));
    assert_eq!(answer["games"][0], without_prices(BOSTON_AT_ST_LOUIS, "boston_red_sox", "st_louis_cardinals", "08:00"));
    let row = &answer["games"][1];
    let price = |side: &str| row[side].as_f64().expect("a price");
    assert!((price("kalshi_home") - 0.58).abs() < 0.05 && (price("kalshi_away") - 0.42).abs() < 0.05, "{row}");
    let cheapest = price("kalshi_home").min(0.579_831_932_773);
    assert!((price("edge_home") - (0.58 - cheapest)).abs() < 1e-6, "{row}");
    assert_eq!(row["time"], "18:15");
    world.get_with_key("/api/v1/markets/mlb").await;
    assert_eq!(exchange.requests(), 1, "the second answer comes from the cache");
}

#[actix_web::test]
async fn college_rows_have_no_prices_and_the_time_of_the_odds() {
    let (world, exchange) = with_exchange().await;
    let answer = world.get_with_key("/api/v1/markets/ncaaf").await.json();
    assert_eq!(answer["as_of"], ODDS_AS_OF);
    assert_eq!(answer["games"], json!([without_prices("ncaaf-2025-05-01-kansas-iowa", "kansas", "iowa", "19:00")]));
    assert_eq!(exchange.requests(), 0);
}

#[actix_web::test]
async fn markets_are_200_despite_any_fault_of_the_exchange() {
    let faults = [
        Fault::Slow(Duration::from_mins(1)),
        Fault::Status(429),
        Fault::Status(500),
        Fault::Html,
        Fault::TruncatedJson,
        Fault::CutShort,
        Fault::RepeatedCursor,
    ];
    for fault in faults {
        let (world, exchange) = with_exchange().await;
        exchange.set_fault(Some(fault));
        let answer = world.get_with_key("/api/v1/markets/mlb").await;
        assert_eq!(answer.status, 200, "{fault:?}");
        assert_eq!(answer.json()["as_of"], ODDS_AS_OF, "{fault:?}");
        let second = without_prices(SECOND_AT_ST_LOUIS, "boston_red_sox", "st_louis_cardinals", "18:15");
        assert_eq!(answer.json()["games"][1], second);
    }
}

#[actix_web::test]
async fn a_market_that_was_set_is_not_replaced_by_the_stand_in() {
    let mut settings = Settings::default();
    settings.prices.kalshi_url = ServiceUrl::new("https://market.example.com", &["https"]).ok();
    let before = settings.clone();
    let clock: Arc<dyn Clock> = Arc::new(ClockFake::at(NOW));
    let started = exchange::start(&mut settings, Arc::new(|_| Vec::new()), clock).await.expect("nothing to go wrong");
    assert!(started.is_none());
    assert_eq!(settings, before);
}

#[actix_web::test]
async fn the_exchange_is_not_requested_without_the_setting() {
    let world = published().await.admitting_a_subscriber().await;
    let clock: Arc<dyn Clock> = world.clock.clone();
    let prices = game_prices(&Prices { kalshi_url: None }, &clock, &Dependencies::default().prices)
        .expect("nothing to go wrong");
    let world = with_markets(world, prices);
    let answer = world.get_with_key("/api/v1/markets/mlb").await.json();
    assert_eq!((&answer["as_of"], &answer["games"][1]["kalshi_home"]), (&json!(ODDS_AS_OF), &Value::Null));
}

#[actix_web::test]
async fn markets_need_any_key() {
    let world = with_markets(published().await, Arc::new(NoPrices));
    world.get("/api/v1/markets/mlb").await.expect_failure(401, "API key required");
    world.admit(&a_customer().without_plan().build(), &a_key_record().issued(second(-60)).build()).await;
    assert_eq!(world.get_with_key("/api/v1/markets/mlb").await.status, 200);
}

#[actix_web::test]
async fn an_unknown_league_is_400_one_without_predictions_404_and_parameters_are_refused() {
    let (world, _exchange) = with_exchange().await;
    let table = [
        ("cricket", 400, "`cricket` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab"),
        ("nfl", 404, "No moneyline predictions are published for nfl"),
        ("mlb?season=2024", 400, "`season` is not a parameter here. This path takes: model"),
    ];
    for (path, status, detail) in table {
        world.get_with_key(&format!("/api/v1/markets/{path}")).await.expect_failure(status, detail);
    }
}
