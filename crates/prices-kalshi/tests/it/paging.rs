//! Pages of a listing, and listings that do not end.

use serde_json::json;
use sports_demo::simulation::exchange::{Reply, Request};
use sports_domain::Sport;
use sports_ports::PortError;

use crate::support::{market, page, read};

const TEAMS: [&str; 3] = ["DEN", "LV", "LAC"];

fn market_of(number: usize) -> serde_json::Value {
    let team = TEAMS[number];
    json!([market(&format!("KXNFLGAME-26NOV22KC{team}-{team}"), "0.50", "0.52", "0.51")])
}

#[tokio::test]
async fn every_page_is_requested_with_the_cursor_of_the_page_before() {
    let pages = |request: &Request| {
        assert_eq!(request.path, "/markets");
        assert_eq!(request.query("series_ticker"), Some("KXNFLGAME"));
        assert_eq!((request.query("status"), request.query("limit")), (Some("open"), Some("1000")));
        match request.query("cursor") {
            None => page(&market_of(0), "a b&c=/+"),
            Some("a b&c=/+") => page(&market_of(1), "last"),
            Some("last") => Reply::json(200, json!({ "markets": market_of(2) }).to_string()),
            Some(other) => panic!("the cursor {other}"),
        }
    };
    let (games, requests) = read(Sport::Nfl, pages).await;
    assert_eq!((games.expect("reads").len(), requests), (3, 3));
}

#[tokio::test]
async fn a_repeated_cursor_is_an_error_and_not_a_listing() {
    let (games, requests) = read(Sport::Nfl, |request| match request.query("cursor") {
        None => page(&market_of(0), "one"),
        Some("one") => page(&market_of(1), "two"),
        Some(_) => page(&market_of(2), "one"),
    })
    .await;
    assert!(matches!(games, Err(PortError::Corrupt { .. })), "{games:?}");
    assert_eq!(requests, 3);
}

#[tokio::test]
async fn a_listing_without_end_is_an_error() {
    let (games, requests) = read(Sport::Nfl, |request| {
        let at: usize = request.query("cursor").unwrap_or("0").parse().expect("a cursor of this test");
        page(&json!([]), &(at + 1).to_string())
    })
    .await;
    assert!(matches!(games, Err(PortError::Corrupt { .. })), "{games:?}");
    assert_eq!(requests, 20);
}

#[tokio::test]
async fn a_later_page_that_fails_is_an_error_and_not_a_shorter_listing() {
    let (games, _) = read(Sport::Nfl, |request| match request.query("cursor") {
        None => page(&market_of(0), "next"),
        Some(_) => Reply::json(404, "{}"),
    })
    .await;
    assert!(matches!(games, Err(PortError::Corrupt { .. })), "{games:?}");
}
