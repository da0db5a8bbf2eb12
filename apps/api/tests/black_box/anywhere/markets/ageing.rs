//! The exchange behind the server's cache and circuit breaker, with a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::TimeDelta;
use sports_domain::Sport;
use sports_ports::Clock;
use sports_ports::prices::GamePrices;
use sports_settings::{Flag, Settings, Sources};
use sports_simulation::exchange::{Reply, Server};
use sports_testkit::clock::ClockFake;

use super::{listed, page};

/// The program's cache and circuit breaker over an exchange that can become unavailable.
struct Guarded {
    clock: Arc<ClockFake>,
    is_unavailable: Arc<AtomicBool>,
    exchange: Server,
    prices: Arc<dyn GamePrices>,
}

impl Guarded {
    async fn start() -> Self {
        let is_unavailable = Arc::new(AtomicBool::new(false));
        let unavailable = Arc::clone(&is_unavailable);
        let answer = move |_: &_| {
            if unavailable.load(Ordering::SeqCst) { Reply::json(404, "{}") } else { page(&listed(), "") }
        };
        let exchange = Server::start(answer).await.expect("a server");
        let flag = Flag { name: "--test", key: "prices.kalshi_url", value: exchange.url() };
        let sources = Sources { flags: vec![flag], ..Sources::default() };
        let settings = Settings::load(&sources).expect("settings");
        let clock = Arc::new(ClockFake::at("2024-01-06T15:00:00Z"));
        sports_api::prices::use_ring();
        let shared: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let prices = sports_api::prices::game_prices(
            &settings.prices,
            &shared,
            &sports_telemetry::dependencies::Dependencies::default().prices,
        )
        .expect("set up");
        Self { clock, is_unavailable, exchange, prices }
    }

    /// Creates one whose exchange is unavailable and has failed three times.
    async fn after_three_failures() -> Self {
        let guarded = Self::start().await;
        guarded.set_unavailable(true);
        // A failure is cached for two seconds; the next lookup after that reaches the exchange.
        for requests in 1..=3 {
            assert_eq!(guarded.after(2).await, (None, requests));
        }
        guarded
    }

    fn set_unavailable(&self, unavailable: bool) {
        self.is_unavailable.store(unavailable, Ordering::SeqCst);
    }

    /// Advances the clock by so many seconds; returns the age of the prices, and the number of requests to the
    /// exchange so far.
    async fn after(&self, seconds: i64) -> (Option<i64>, usize) {
        self.clock.advance(TimeDelta::seconds(seconds));
        let answer = self.prices.prices(Sport::Nfl).await.ok();
        let age = answer.map(|list| (self.clock.now() - list.expect("covered").as_of).num_seconds());
        (age, self.exchange.requests())
    }
}

#[tokio::test]
async fn cached_prices_are_used_for_two_minutes() {
    let guarded = Guarded::start().await;
    assert_eq!(guarded.after(0).await, (Some(0), 1));
    guarded.set_unavailable(true);
    assert_eq!(guarded.after(14).await, (Some(14), 1), "a short memory");
    assert_eq!(guarded.after(1).await, (Some(15), 2), "requested in vain");
    assert_eq!(guarded.after(104).await, (Some(119), 3));
    assert_eq!(guarded.after(1).await, (None, 3), "after two minutes they are gone");
    guarded.set_unavailable(false);
    assert_eq!(guarded.after(1).await, (Some(0), 4), "and back with the exchange");
}

#[tokio::test]
async fn three_failures_in_a_row_open_the_circuit_for_half_a_minute() {
    let guarded = Guarded::after_three_failures().await;
    guarded.set_unavailable(false);
    assert_eq!(guarded.after(29).await, (None, 3), "well again, and not requested");
    assert_eq!(guarded.after(1).await, (None, 3), "the last failure still answers");
    assert_eq!(guarded.after(1).await, (Some(0), 4), "the trial closes the circuit");
}

#[tokio::test]
async fn a_trial_that_fails_opens_the_circuit_for_another_half_minute() {
    let guarded = Guarded::after_three_failures().await;
    assert_eq!(guarded.after(30).await, (None, 4), "one question goes through");
    for _ in 0..9 {
        assert_eq!(guarded.after(3).await, (None, 4));
    }
    assert_eq!(guarded.after(3).await, (None, 5));
}
