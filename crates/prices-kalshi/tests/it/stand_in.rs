//! The stand-in, read like the exchange.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use sports_demo::simulation::exchange::{Exchange, Fault, ListedGame};
use sports_domain::{Probability, Sport, TeamSlug};
use sports_ports::PortError;
use sports_ports::prices::GamePrices;
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::contract;

use crate::support::{NOW, source_at};

fn a_game(away: &str, home: &str, home_probability: f64) -> ListedGame {
    let team = |name| TeamSlug::normalise(name).expect("a team");
    ListedGame {
        date: "2026-11-22".parse().expect("a date"),
        time: "16:25:00".parse().ok(),
        game_number: None,
        away: team(away),
        home: team(home),
        home_probability: Probability::new(home_probability).expect("valid"),
    }
}

fn listing(sport: Sport) -> Vec<ListedGame> {
    match sport {
        Sport::Nfl => vec![a_game("kansas_city_chiefs", "denver_broncos", 0.56), a_game("canal_foxes", "unknown", 0.5)],
        Sport::Mlb => [1, 2]
            .map(|number| ListedGame { game_number: Some(number), ..a_game("boston_red_sox", "new_york_yankees", 1.0) })
            .into(),
        // More than a page of a thousand, because each game has two markets.
        Sport::Nba => vec![a_game("utah_jazz", "golden_state_warriors", 0.3); 501],
        _ => Vec::new(),
    }
}

async fn exchange() -> (Exchange, Arc<ClockFake>) {
    let clock = Arc::new(ClockFake::at(NOW));
    (Exchange::start(Arc::new(listing), clock.clone()).await.expect("a server"), clock)
}

#[tokio::test]
async fn the_stand_in_is_read_like_the_exchange() {
    let (exchange, _) = exchange().await;
    let source = source_at(&exchange.url());
    contract::of_a_working_source(&source, &ClockFake::at(NOW)).await;
}

#[tokio::test]
async fn prices_are_near_the_probability_of_each_team() {
    let (exchange, _) = exchange().await;
    let list = source_at(&exchange.url()).prices(Sport::Nfl).await.expect("reads").expect("covered");
    let [game] = &*list.games else { panic!("clubs the exchange does not know have no market: {list:?}") };
    assert_eq!((game.date.to_string().as_str(), game.time), ("2026-11-22", None), "the NFL's tickers have no time");
    let price =
        |name: &str| game.price_of(&TeamSlug::normalise(name).expect("a team")).expect("a price").probability().get();
    assert!((price("denver_broncos") - 0.56).abs() < 0.04, "{game:?}");
    assert!((price("kansas_city_chiefs") - 0.44).abs() < 0.04, "{game:?}");
}

#[tokio::test]
async fn a_doubleheader_and_a_certain_winner_have_prices_too() {
    let (exchange, _) = exchange().await;
    let list = source_at(&exchange.url()).prices(Sport::Mlb).await.expect("reads").expect("covered");
    let numbers: Vec<_> = list.games.iter().map(|game| (game.time.is_some(), game.game_number)).collect();
    assert_eq!(numbers, [(true, Some(1)), (true, Some(2))]);
    assert!(list.games.iter().flat_map(|game| &game.teams).all(|quoted| quoted.price.is_some()));
}

#[tokio::test]
async fn prices_change_with_time() {
    let (exchange, clock) = exchange().await;
    let source = source_at(&exchange.url());
    let mut seen = std::collections::HashSet::new();
    for _ in 0..40 {
        let list = source.prices(Sport::Nfl).await.expect("reads").expect("covered");
        seen.extend(list.games[0].teams[1].price.map(|price| price.probability().get().to_bits()));
        clock.advance(TimeDelta::seconds(15));
    }
    assert!(seen.len() > 2, "{seen:?}");
}

#[tokio::test]
async fn a_long_listing_comes_in_pages() {
    let (exchange, _) = exchange().await;
    source_at(&exchange.url()).prices(Sport::Nba).await.expect("reads");
    assert_eq!(exchange.requests(), 2);
}

#[tokio::test]
async fn the_stand_in_has_each_fault_on_request() {
    let (exchange, _) = exchange().await;
    let source = source_at(&exchange.url());
    let table = [
        (Fault::Slow(Duration::from_mins(1)), false),
        (Fault::Status(429), false),
        (Fault::Status(500), false),
        (Fault::CutShort, false),
        (Fault::Html, true),
        (Fault::TruncatedJson, true),
        (Fault::RepeatedCursor, true),
    ];
    for (fault, is_corrupt) in table {
        exchange.set_fault(Some(fault));
        let failed = source.prices(Sport::Nfl).await.expect_err("fails");
        assert_eq!(matches!(failed, PortError::Corrupt { .. }), is_corrupt, "{fault:?}: {failed:?}");
    }
    exchange.set_fault(None);
    source.prices(Sport::Nfl).await.expect("reads again");
}
