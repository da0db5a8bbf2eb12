//! The circuit breaker: the conditions that open and close its circuits.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use serde_json::json;
use sports_demo::simulation::exchange::{Reply, Request, Server};
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError, error_chain};
use sports_prices_kalshi::{CircuitBreaker, Unreachable};
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::{PricesFake, contract};

use crate::support::{NOW, page, source_at};

struct Guarded {
    clock: Arc<ClockFake>,
    source: Arc<PricesFake>,
    breaker: CircuitBreaker,
}

/// A source that is unreachable while the fake is unavailable.
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

/// Creates a guarded source that covers the NFL and the NHL and is unreachable.
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
    /// Requests a league's prices. Returns `true` on success, and the number of requests that the source has
    /// received.
    async fn request(&self, sport: Sport) -> (bool, usize) {
        let answer = self.breaker.prices(sport).await;
        (answer.is_ok(), self.source.asked())
    }
}

#[tokio::test]
async fn three_failures_in_a_row_in_two_leagues_open_all_circuits_for_half_a_minute() {
    let world = guarded();
    assert_eq!(world.request(Sport::Nfl).await, (false, 1));
    assert_eq!(world.request(Sport::Nhl).await, (false, 2));
    assert_eq!(world.request(Sport::Nfl).await, (false, 3));
    assert_eq!(world.request(Sport::Nfl).await, (false, 3), "no request is sent");
    world.clock.advance(TimeDelta::seconds(29));
    assert_eq!(world.request(Sport::Nhl).await, (false, 3), "still none");
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(world.request(Sport::Nhl).await, (false, 4), "one trial is sent");
    assert_eq!(world.request(Sport::Nfl).await, (false, 4), "and it failed");
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unavailable(false);
    assert_eq!(world.request(Sport::Nfl).await, (true, 5));
    assert_eq!(world.request(Sport::Nfl).await, (true, 6), "the circuits are closed");
}

#[tokio::test]
async fn setting_the_date_does_not_change_the_length_of_the_pause() {
    for hours in [1, -1] {
        let world = guarded();
        for asked in 1..=3 {
            assert_eq!(world.request(Sport::Nfl).await, (false, asked));
        }
        world.clock.set(world.clock.now() + TimeDelta::hours(hours));
        world.clock.advance(TimeDelta::seconds(29));
        assert_eq!(world.request(Sport::Nfl).await, (false, 3), "{hours} hours");
        world.clock.advance(TimeDelta::seconds(1));
        assert_eq!(world.request(Sport::Nfl).await, (false, 4), "{hours} hours");
    }
}

#[tokio::test]
async fn a_league_that_fails_alone_opens_its_own_circuit_only() {
    let world = guarded();
    for asked in 1..=3 {
        assert_eq!(world.request(Sport::Nfl).await, (false, asked));
    }
    assert_eq!(world.request(Sport::Nfl).await, (false, 3), "no request is sent");
    world.source.set_unavailable(false);
    assert_eq!(world.request(Sport::Nhl).await, (true, 4), "other leagues have prices");
    assert_eq!(world.request(Sport::Nfl).await, (false, 4), "and its circuit stays open for half a minute");
    world.clock.advance(TimeDelta::seconds(30));
    assert_eq!(world.request(Sport::Nfl).await, (true, 5));
}

#[tokio::test]
async fn unreadable_answers_open_only_their_leagues_circuits() {
    let world = guarded();
    world.source.set_unavailable(false);
    world.source.list(Sport::Mlb, Vec::new());
    for sport in [Sport::Nfl, Sport::Nhl] {
        world.source.set_unreadable(sport, true);
        for _ in 0..5 {
            assert!(!world.request(sport).await.0);
        }
    }
    assert_eq!(world.source.asked(), 6, "three times about each");
    assert_eq!(world.request(Sport::Mlb).await, (true, 7));
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unreadable(Sport::Nfl, false);
    assert_eq!(world.request(Sport::Nfl).await, (true, 8));
    assert_eq!(world.request(Sport::Nhl).await, (false, 9));
}

/// Creates a circuit breaker around the exchange at `url`, with a clock that does not move.
fn breaker_at(url: &str) -> CircuitBreaker {
    CircuitBreaker::new(Arc::new(source_at(url)), Arc::new(ClockFake::at(NOW)))
}

#[tokio::test]
async fn refused_or_slow_leagues_do_not_stop_other_leagues_prices() {
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
    // Two leagues fail once more, which opens their own circuits and no other.
    for sport in [Sport::Nfl, Sport::Nba] {
        let failed = [breaker.prices(sport).await, breaker.prices(sport).await];
        assert!(failed.iter().all(Result::is_err), "{sport}");
    }
    let received = server.requests();
    assert!(breaker.prices(Sport::Nfl).await.is_err() && breaker.prices(Sport::Nba).await.is_err());
    assert_eq!(server.requests(), received, "no request is sent for these leagues");
    assert!(breaker.prices(Sport::Mlb).await.is_ok());
}

#[tokio::test]
async fn an_unreachable_host_opens_the_circuit_of_every_league() {
    let breaker = breaker_at("http://127.0.0.1:1");
    for sport in [Sport::Nfl, Sport::Nba, Sport::Nhl] {
        let error = breaker.prices(sport).await.expect_err("no exchange is there");
        assert!(
            error_chain(&error).starts_with("the prediction market is unavailable: it cannot be reached: "),
            "{error:?}"
        );
    }
    let error = breaker.prices(Sport::Mlb).await.expect_err("no request is sent");
    assert!(
        error_chain(&error).contains("it failed 3 times in a row, and the next request is sent in 30 s"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_success_resets_the_count_of_failures() {
    let world = guarded();
    for _ in 0..3 {
        for _ in 0..2 {
            assert!(!world.request(Sport::Nfl).await.0);
        }
        world.source.set_unavailable(false);
        assert!(world.request(Sport::Nfl).await.0);
        world.source.set_unavailable(true);
    }
    assert_eq!(world.source.asked(), 9);
}

#[tokio::test]
async fn during_a_trial_request_other_leagues_fail_at_once() {
    let world = guarded();
    for sport in [Sport::Nfl, Sport::Nhl, Sport::Nfl] {
        world.request(sport).await;
    }
    world.clock.advance(TimeDelta::seconds(30));
    world.source.set_unavailable(false);
    let (one, other) = tokio::join!(world.breaker.prices(Sport::Nfl), world.breaker.prices(Sport::Nhl));
    assert_eq!((one.is_ok(), other.is_ok(), world.source.asked()), (true, false, 4));
}

#[tokio::test]
async fn a_league_that_is_not_covered_neither_opens_nor_closes_a_circuit() {
    let world = guarded();
    for _ in 0..3 {
        world.request(Sport::Nfl).await;
    }
    world.clock.advance(TimeDelta::seconds(30));
    assert_eq!(world.request(Sport::Ncaaf).await, (true, 3));
    assert_eq!(world.request(Sport::Nfl).await, (false, 4), "the trial was not used up");
    assert_eq!(world.request(Sport::Nfl).await, (false, 4));
}

#[tokio::test]
async fn a_guarded_source_keeps_the_contract() {
    let world = guarded();
    contract::an_unreachable_source_is_unavailable(&world.breaker).await;
    world.source.set_unavailable(false);
    world.source.list(Sport::Nfl, vec![contract::a_quoted_game()]);
    contract::of_a_working_source(&world.breaker, &*world.clock).await;
}
