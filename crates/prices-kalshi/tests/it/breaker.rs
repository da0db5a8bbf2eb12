//! When the source is no longer asked, and when it is again.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use serde_json::json;
use sports_domain::Sport;
use sports_exchange_stand_in::{Reply, Request, Server};
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError, in_one_line};
use sports_prices_kalshi::{CircuitBreaker, Unreachable};
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::{PricesFake, contract};

use crate::support::{NOW, page, source_at};

struct Guarded {
    clock: Arc<ClockFake>,
    source: Arc<PricesFake>,
    breaker: CircuitBreaker,
}

/// A source that cannot be reached while the fake is unavailable.
struct Remote(Arc<PricesFake>);

#[async_trait]
impl GamePrices for Remote {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        self.0.prices(sport).await.map_err(|error| match error {
            PortError::Unavailable { port, source } => PortError::unavailable(port, Unreachable(source)),
            corrupt @ PortError::Corrupt { .. } => corrupt,
        })
    }
}

/// The NFL and the NHL are covered, and the source cannot be reached.
fn guarded() -> Guarded {
    let clock = Arc::new(ClockFake::at(NOW));
    let source = Arc::new(PricesFake::new(clock.clone()));
    for sport in [Sport::Nfl, Sport::Nhl] {
        source.list(sport, Vec::new());
    }
    source.set_unavailable(true);
    Guarded { breaker: CircuitBreaker::new(Arc::new(Remote(source.clone())), clock.clone()), clock, source }
}

impl Guarded {
    /// Asks about a league; gives whether there was an answer, and how often the source has been asked.
    async fn ask(&self, sport: Sport) -> (bool, usize) {
        let answer = self.breaker.prices(sport).await;
        (answer.is_ok(), self.source.asked())
    }
}

#[tokio::test]
async fn three_failures_in_a_row_of_two_leagues_stop_the_asking_for_half_a_minute() {
    let world = guarded();
    assert_eq!(world.ask(Sport::Nfl).await, (false, 1));
    assert_eq!(world.ask(Sport::Nhl).await, (false, 2));
    assert_eq!(world.ask(Sport::Nfl).await, (false, 3));
    assert_eq!(world.ask(Sport::Nfl).await, (false, 3), "the exchange is not asked");
    world.clock.advance(TimeDelta::seconds(29));
    assert_eq!(world.ask(Sport::Nhl).await, (false, 3), "still not asked");
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(world.ask(Sport::Nhl).await, (false, 4), "one tries");
    assert_eq!(world.ask(Sport::Nfl).await, (false, 4), "and failed");
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unavailable(false);
    assert_eq!(world.ask(Sport::Nfl).await, (true, 5));
    assert_eq!(world.ask(Sport::Nfl).await, (true, 6), "as if nothing had been");
}

#[tokio::test]
async fn a_date_that_is_set_makes_the_pause_no_longer_or_shorter() {
    for hours in [1, -1] {
        let world = guarded();
        for asked in 1..=3 {
            assert_eq!(world.ask(Sport::Nfl).await, (false, asked));
        }
        world.clock.set(world.clock.now() + TimeDelta::hours(hours));
        world.clock.advance(TimeDelta::seconds(29));
        assert_eq!(world.ask(Sport::Nfl).await, (false, 3), "{hours} hours");
        world.clock.advance(TimeDelta::seconds(1));
        assert_eq!(world.ask(Sport::Nfl).await, (false, 4), "{hours} hours");
    }
}

#[tokio::test]
async fn a_league_that_fails_alone_is_left_alone_and_no_other() {
    let world = guarded();
    for asked in 1..=3 {
        assert_eq!(world.ask(Sport::Nfl).await, (false, asked));
    }
    assert_eq!(world.ask(Sport::Nfl).await, (false, 3), "it is not asked about");
    world.source.set_unavailable(false);
    assert_eq!(world.ask(Sport::Nhl).await, (true, 4), "the others' prices are there");
    assert_eq!(world.ask(Sport::Nfl).await, (false, 4), "and it waits for its half minute");
    world.clock.advance(TimeDelta::seconds(30));
    assert_eq!(world.ask(Sport::Nfl).await, (true, 5));
}

#[tokio::test]
async fn unreadable_answers_open_only_their_leagues_circuits() {
    let world = guarded();
    world.source.set_unavailable(false);
    world.source.list(Sport::Mlb, Vec::new());
    for sport in [Sport::Nfl, Sport::Nhl] {
        world.source.set_unreadable(sport, true);
        for _ in 0..5 {
            assert!(!world.ask(sport).await.0);
        }
    }
    assert_eq!(world.source.asked(), 6, "three times about each");
    assert_eq!(world.ask(Sport::Mlb).await, (true, 7));
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unreadable(Sport::Nfl, false);
    assert_eq!(world.ask(Sport::Nfl).await, (true, 8));
    assert_eq!(world.ask(Sport::Nhl).await, (false, 9));
}

/// The exchange behind a breaker, whose time does not go by.
fn breaker_at(url: &str) -> CircuitBreaker {
    CircuitBreaker::new(Arc::new(source_at(url)), Arc::new(ClockFake::at(NOW)))
}

#[tokio::test]
async fn leagues_that_are_refused_or_slow_take_no_others_prices() {
    let answer = |request: &Request| match request.query("series_ticker") {
        Some("KXNFLGAME") => Reply::json(500, "{}"),
        Some("KXNBAGAME") => Reply::json(429, "{}"),
        Some("KXNHLGAME") => Reply { after: Duration::from_mins(10), ..page(&json!([]), "") },
        _ => page(&json!([]), ""),
    };
    let server = Server::start(answer).await.expect("a server");
    let breaker = breaker_at(&server.url());
    for sport in [Sport::Nfl, Sport::Nba, Sport::Nhl] {
        for _ in 0..2 {
            assert!(breaker.prices(sport).await.is_err(), "{sport}");
        }
    }
    assert!(breaker.prices(Sport::Mlb).await.is_ok());
    // Each failed twice; with the third failure each is left alone, and still no other league with it.
    for sport in [Sport::Nfl, Sport::Nba] {
        let failed = [breaker.prices(sport).await, breaker.prices(sport).await];
        assert!(failed.iter().all(Result::is_err), "{sport}");
    }
    let asked = server.requests();
    assert!(breaker.prices(Sport::Nfl).await.is_err() && breaker.prices(Sport::Nba).await.is_err());
    assert_eq!(server.requests(), asked, "those leagues are not asked about");
    assert!(breaker.prices(Sport::Mlb).await.is_ok());
}

#[tokio::test]
async fn an_unreachable_host_opens_the_circuit_of_every_league() {
    let breaker = breaker_at("http://127.0.0.1:1");
    for sport in [Sport::Nfl, Sport::Nba, Sport::Nhl] {
        let error = breaker.prices(sport).await.expect_err("no exchange is there");
        assert!(
            in_one_line(&error).starts_with("the prediction market is unavailable: it cannot be reached: "),
            "{error:?}"
        );
    }
    let error = breaker.prices(Sport::Mlb).await.expect_err("not asked");
    assert!(in_one_line(&error).contains("it failed 3 times in a row and is asked again in 30 s"), "{error:?}");
}

#[tokio::test]
async fn an_answer_forgives_the_failures_before_it() {
    let world = guarded();
    for _ in 0..3 {
        for _ in 0..2 {
            assert!(!world.ask(Sport::Nfl).await.0);
        }
        world.source.set_unavailable(false);
        assert!(world.ask(Sport::Nfl).await.0);
        world.source.set_unavailable(true);
    }
    assert_eq!(world.source.asked(), 9);
}

#[tokio::test]
async fn during_a_trial_request_other_leagues_fail_at_once() {
    let world = guarded();
    for sport in [Sport::Nfl, Sport::Nhl, Sport::Nfl] {
        world.ask(sport).await;
    }
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unavailable(false);
    let (one, other) = tokio::join!(world.breaker.prices(Sport::Nfl), world.breaker.prices(Sport::Nhl));
    assert_eq!((one.is_ok(), other.is_ok(), world.source.asked()), (true, false, 4));
}

#[tokio::test]
async fn a_league_without_a_price_source_neither_trips_nor_resets_the_breaker() {
    let world = guarded();
    for _ in 0..3 {
        world.ask(Sport::Nfl).await;
    }
    world.clock.advance(TimeDelta::seconds(30));
    assert_eq!(world.ask(Sport::Ncaaf).await, (true, 3));
    assert_eq!(world.ask(Sport::Nfl).await, (false, 4), "the trial is still to come");
    assert_eq!(world.ask(Sport::Nfl).await, (false, 4));
}

#[tokio::test]
async fn a_guarded_source_keeps_the_contract() {
    let world = guarded();
    contract::an_unreachable_source_is_unavailable(&world.breaker).await;
    world.source.set_unavailable(false);
    world.source.list(Sport::Nfl, vec![contract::a_quoted_game()]);
    contract::of_a_working_source(&world.breaker, &*world.clock).await;
}
