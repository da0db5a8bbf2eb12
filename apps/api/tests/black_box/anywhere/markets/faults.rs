//! Failures of the exchange, of every kind and for a while.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use sports_simulation::exchange::{CutShort, Reply, Request};
use sports_testkit::programs::fixture;
use tokio::time::sleep;

use super::leagues::publish;
use super::{Comparison, Handler, MORNING, PATH, listed, market, page, prices, row, unpriced};
use crate::service::Site;

/// Returns an HTML page of maintenance, which is not retried.
fn maintenance() -> Reply {
    Reply { content_type: "text/html", ..Reply::json(200, "<h1>Back soon</h1>") }
}

#[tokio::test]
async fn the_book_is_compared_despite_any_fault_of_the_exchange() {
    let whole = || json!({ "markets": listed(), "cursor": "" }).to_string();
    let faults: [(&str, Box<Handler>); 7] = [
        ("slow", Box::new(move |_| Reply { after: Duration::from_mins(1), ..Reply::json(200, whole()) })),
        ("too many requests", Box::new(|_| Reply::json(429, r#"{"error":"too many requests"}"#))),
        ("an error of its own", Box::new(|_| Reply::json(500, r#"{"error":{"code":"internal"}}"#))),
        ("a page for people", Box::new(|_| Reply { content_type: "text/html", ..Reply::json(200, "<html>") })),
        ("half a body", Box::new(move |_| Reply::json(200, whole()[..400].to_owned()))),
        (
            "a broken connection",
            Box::new(move |_| Reply { cut_short: Some(CutShort::InTheBody), ..Reply::json(200, whole()) }),
        ),
        ("a cursor that repeats", Box::new(|_| page(&listed(), "again"))),
    ];
    for (what, handler) in faults {
        let comparison = Comparison::at(MORNING, handler).await;
        assert!(unpriced(&comparison.answer().await), "{what}");
    }
}

#[tokio::test]
async fn prices_return_with_the_exchange() {
    let comparison = Comparison::at(MORNING, |_| Reply::json(500, "{}")).await;
    assert!(unpriced(&comparison.answer().await));
    comparison.change(|_| page(&listed(), ""));
    // A failure is cached for two seconds, then the exchange is requested again.
    comparison
        .service
        .until(PATH, |answer| {
            answer.status == 200 && prices(&row(&answer.json(), "baltimore_ravens"))[1] == Some(0.375)
        })
        .await;
}

#[tokio::test]
async fn a_first_failure_is_retried_before_it_is_reported() {
    let tries = AtomicUsize::new(0);
    let comparison = Comparison::at(MORNING, move |_| match tries.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::json(503, "{}"),
        _ => page(&listed(), ""),
    })
    .await;
    assert_eq!(prices(&row(&comparison.answer().await, "baltimore_ravens")), [Some(0.63), Some(0.375)]);
    assert_eq!(comparison.exchange.requests(), 2);
}

/// Creates a site where each league that the exchange lists has a game to come.
fn four_leagues() -> Site {
    let site = Site::empty();
    for sport in ["mlb", "nba", "nfl", "nhl"] {
        publish(&site, sport, "2024-01-06", &["20:00:00,somebody,somebody_else,-110,-110,0.5"]);
    }
    site
}

/// The exchange refuses two leagues, each three times over, and has prices for two.
#[tokio::test]
async fn a_refused_league_does_not_affect_prices_of_others() {
    let handler = |request: &Request| match request.query("series_ticker") {
        Some("KXNFLGAME") => Reply::json(500, "{}"),
        Some("KXNBAGAME") => Reply::json(429, "{}"),
        Some("KXNHLGAME") => page(&[market("KXNHLGAME-24JAN06VGKLA-LA", "0.5000", "0.5200")], ""),
        _ => page(&[market("KXMLBGAME-24JAN06BOSNYY-NYY", "0.5000", "0.5200")], ""),
    };
    let site = four_leagues();
    let game = |away: &str, home: &str| format!("20:00:00,{away},{home},-110,-110,0.5");
    publish(&site, "nhl", "2024-01-06", &[&game("vegas_golden_knights", "los_angeles_kings")]);
    publish(&site, "mlb", "2024-01-06", &[&game("boston_red_sox", "new_york_yankees")]);
    let comparison = Comparison::with_handler(site, MORNING, handler).await;
    for (requests, sport) in [(3, "nfl"), (6, "nba"), (7, "nhl"), (8, "mlb")] {
        let answer = comparison.answer_of(sport).await;
        assert_eq!(comparison.exchange.requests(), requests, "{sport}");
        let price = prices(&answer["games"][0])[1];
        assert_eq!(price, (requests > 6).then_some(0.51), "{sport}: {answer}");
    }
}

/// A host that is unreachable for several leagues in a row is no longer requested; the fourth league gets no prices
/// either.
#[tokio::test]
async fn an_exchange_unreachable_for_three_leagues_opens_the_circuit() {
    let gone = || Reply { cut_short: Some(CutShort::BeforeTheAnswer), ..Reply::json(200, "") };
    let comparison = Comparison::with_handler(four_leagues(), MORNING, move |_| gone()).await;
    // Each reading tries three times.
    for (requests, sport) in [(3, "nba"), (6, "nfl"), (9, "nhl"), (9, "mlb")] {
        let answer = comparison.answer_of(sport).await;
        assert!(answer["games"][0]["book_home"].is_number(), "{sport}: {answer}");
        assert_eq!(comparison.exchange.requests(), requests, "{sport}");
    }
    // The exchange may be well again: while the circuit is open, it is not requested.
    comparison.change(|_| page(&[], ""));
    comparison.answer_of("mlb").await;
    assert_eq!(comparison.exchange.requests(), 9);
}

/// The pages of three leagues are malformed, and one market of the fourth has no status: its other market keeps its
/// price.
#[tokio::test]
async fn an_unreadable_listing_does_not_affect_other_leagues_or_markets() {
    let comparison = Comparison::with_handler(four_leagues(), MORNING, |_| maintenance()).await;
    let folder = fixture("nfl-2023-week-18-slate").join("release");
    let _ = comparison.site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", MORNING]);
    for sport in ["nba", "nhl", "mlb"] {
        comparison.answer_of(sport).await;
    }
    let mut odd = listed();
    odd[0]["status"] = serde_json::Value::Null;
    comparison.change(move |_| page(&odd, ""));
    comparison
        .service
        .until(PATH, |answer| {
            let answer = answer.json();
            let games = answer["games"].as_array().into_iter().flatten();
            let mut ravens = games.filter(|game| game["home_team"] == "baltimore_ravens");
            ravens.next().is_some_and(|row| prices(row) == [None, Some(0.375)])
        })
        .await;
}

#[tokio::test]
async fn prices_outlive_the_first_failures_of_the_exchange() {
    let comparison = Comparison::at(MORNING, |_| page(&listed(), "")).await;
    let before = comparison.answer().await;
    comparison.change(|_| maintenance());
    // When the cache entry expires, the exchange is requested again.
    while comparison.exchange.requests() == 1 {
        assert_eq!(comparison.answer().await, before);
        sleep(Duration::from_millis(200)).await;
    }
    let after = comparison.answer().await;
    assert_eq!(after, before, "`as_of` is the age of the prices");
}
