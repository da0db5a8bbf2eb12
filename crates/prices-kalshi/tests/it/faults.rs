//! Failures of the host, the network and the response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use sports_demo::simulation::exchange::{CutShort, Reply, Server};
use sports_domain::Sport;
use sports_ports::prices::GamePrices;
use sports_ports::{PortError, error_chain};
use sports_prices_kalshi::{KalshiPrices, SetupError, Unreachable};
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::contract::an_unreachable_source_is_unavailable;

use crate::support::{NOW, market, page, read, source_at};

fn a_page() -> Reply {
    page(&json!([market("KXNFLGAME-26NOV22KCDEN-DEN", "0.50", "0.52", "0.51")]), "")
}

#[tokio::test]
async fn a_transient_refusal_is_retried_twice() {
    for status in [429, 500, 502, 503, 504] {
        let (games, requests) =
            read(Sport::Nfl, move |_| Reply::json(status, r#"{"error":"too many requests"}"#)).await;
        assert!(matches!(games, Err(PortError::Unavailable { .. })), "{status}: {games:?}");
        assert_eq!(requests, 3, "{status}");
    }
}

#[tokio::test]
async fn a_permanent_refusal_is_corrupt_and_not_retried() {
    for status in [400, 401, 403, 404] {
        let (games, requests) = read(Sport::Nfl, move |_| Reply::json(status, "{}")).await;
        assert!(matches!(games, Err(PortError::Corrupt { .. })), "{status}: {games:?}");
        assert_eq!(requests, 1, "{status}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = Server::start(|_| a_page()).await.expect("a server");
        let location = format!("{}/markets", elsewhere.url());
        let (games, requests) = read(Sport::Nfl, move |_| Reply::redirect(status, location.clone())).await;
        let Err(error @ PortError::Corrupt { .. }) = games else { panic!("{status}: {games:?}") };
        let message = error_chain(&error);
        assert!(message.contains("leads elsewhere") && message.contains(&status.to_string()), "{message}");
        assert_eq!((requests, elsewhere.requests()), (1, 0), "{status}");
        // Not even to the same server.
        let (games, requests) = read(Sport::Nfl, move |_| Reply::redirect(status, "/markets".to_owned())).await;
        assert!(matches!(games, Err(PortError::Corrupt { .. })), "{status}: {games:?}");
        assert_eq!(requests, 1, "{status}");
    }
}

#[tokio::test]
async fn a_read_that_fails_once_is_retried() {
    for first in [Reply::json(500, "{}"), Reply { cut_short: Some(CutShort::InTheBody), ..a_page() }] {
        let received = AtomicUsize::new(0);
        let (games, requests) = read(Sport::Nfl, move |_| match received.fetch_add(1, Ordering::SeqCst) {
            0 => first.clone(),
            _ => a_page(),
        })
        .await;
        assert_eq!((games.expect("reads").len(), requests), (1, 2));
    }
}

#[tokio::test]
async fn a_response_that_is_no_page_of_markets_is_corrupt() {
    let whole = a_page().body;
    let html = Reply { content_type: "text/html", ..Reply::json(200, "<html>Back soon</html>") };
    let table = [
        ("a page for people", html),
        ("JSON cut short", Reply::json(200, whole.slice(..whole.len() - 20))),
        ("something else", Reply::json(200, r#"{"events":[],"cursor":""}"#)),
        ("an error that claims to be fine", Reply::json(200, r#"{"error":"too many requests"}"#)),
        ("nothing", Reply::json(200, "")),
    ];
    for (why, reply) in table {
        let (games, _) = read(Sport::Nfl, move |_| reply.clone()).await;
        assert!(matches!(games, Err(PortError::Corrupt { .. })), "{why}: {games:?}");
    }
}

#[tokio::test]
async fn a_page_above_the_size_limit_is_not_read_to_its_end() {
    let body = vec![b' '; (16 << 20) + 1];
    let (games, _) = read(Sport::Nfl, move |_| Reply::json(200, body.clone())).await;
    assert!(matches!(games, Err(PortError::Corrupt { .. })), "{games:?}");
}

#[tokio::test]
async fn a_source_that_takes_longer_than_two_seconds_is_unavailable() {
    let slow = Reply { after: Duration::from_mins(10), ..a_page() };
    let (games, _) = read(Sport::Nfl, move |_| slow.clone()).await;
    assert!(matches!(games, Err(PortError::Unavailable { .. })), "{games:?}");
}

#[tokio::test]
async fn a_source_without_a_listener_is_unavailable() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    an_unreachable_source_is_unavailable(&source_at(&gone)).await;
}

/// Returns `true` if a league could not be read because its host is unreachable.
fn is_unreachable<T>(read: &Result<T, PortError>) -> bool {
    matches!(read, Err(PortError::Unavailable { source, .. }) if source.is::<Unreachable>())
}

#[tokio::test]
async fn a_host_is_unreachable_only_without_a_connection_or_a_response() {
    let cut_short = |stage| Reply { cut_short: Some(stage), ..a_page() };
    let table = [
        ("refused", Reply::json(500, "{}"), false),
        ("too many requests", Reply::json(429, "{}"), false),
        ("half a body", cut_short(CutShort::InTheBody), false),
        ("slow", Reply { after: Duration::from_mins(10), ..a_page() }, false),
        ("no answer", cut_short(CutShort::BeforeTheAnswer), true),
    ];
    for (what, reply, unreachable) in table {
        let (games, _) = read(Sport::Nfl, move |_| reply.clone()).await;
        assert!(matches!(games, Err(PortError::Unavailable { .. })), "{what}: {games:?}");
        assert_eq!(is_unreachable(&games), unreachable, "{what}: {games:?}");
    }
    assert!(is_unreachable(&source_at("http://127.0.0.1:1").prices(Sport::Nfl).await), "no connection");
    assert!(is_unreachable(&source_at("http://no-such-host.invalid").prices(Sport::Nfl).await), "no address");
}

/// With a full backlog the next connection gets no response, as from a host that is switched off.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_host_that_accepts_no_connection_is_unreachable() {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let listener = socket.listen(1).expect("listens");
    let address = listener.local_addr().expect("an address");
    let queue: Vec<_> = (0..2).map(|_| std::net::TcpStream::connect(address).expect("queued")).collect();
    let games = source_at(&format!("http://{address}")).prices(Sport::Nfl).await;
    assert!(is_unreachable(&games), "{games:?}");
    drop(queue);
}

#[tokio::test]
async fn no_request_is_sent_for_leagues_that_are_not_covered() {
    let source = source_at("http://127.0.0.1:1");
    for sport in [Sport::Ncaaf, Sport::Ncaab] {
        assert_eq!(source.prices(sport).await.expect("no request is sent"), None);
    }
}

#[test]
fn a_text_that_is_not_an_address_is_refused() {
    let _ = source_at("http://127.0.0.1:1");
    let made = KalshiPrices::new("not an address", Arc::new(ClockFake::at(NOW)));
    assert!(matches!(made.err(), Some(SetupError::NotAnAddress { address }) if address == "not an address"));
}
