//! The market comparison, with an exchange that sends any data.

use std::time::Duration;

use serde_json::{Value, json};
use sports_demo::simulation::exchange::{CutShort, Reply, Request, Server};
use sports_testkit::programs::fixture;

use crate::folder::Folder;
use crate::service::{Service, Site};

const MORNING: &str = "2024-01-06T15:00:00Z";

/// Returns a market as the exchange documents it, with a field that is not read.
fn market(ticker: &str, bid: &str, ask: &str) -> Value {
    json!({
        "ticker": ticker, "event_ticker": ticker.rsplit_once('-').map(|(event, _)| event), "status": "active",
        "yes_bid_dollars": bid, "yes_ask_dollars": ask, "last_price_dollars": "0.0000", "a_new_field": {"of": [1]},
    })
}

/// Returns the complete markets of Saturday's two games, and markets of other games, series and teams.
fn listed() -> Vec<Value> {
    vec![
        market("KXNFLGAME-24JAN06PITBAL-PIT", "0.6200", "0.6400"),
        market("KXNFLGAME-24JAN06PITBAL-BAL", "0.3600", "0.3900"),
        market("KXNFLGAME-24JAN062015HOUIND-HOU", "0.5000", "0.5200"),
        market("KXNFLGAME-24JAN062015HOUIND-IND", "0.0000", "1.0000"),
        // The same teams on another day, a series of another name, an unknown team, a malformed ticker.
        market("KXNFLGAME-24JAN13TBCAR-TB", "0.9000", "0.9200"),
        market("KXNFLSPREAD-24JAN07TBCAR-TB", "0.9000", "0.9200"),
        market("KXNFLGAME-24JAN07QQQCAR-CAR", "0.9000", "0.9200"),
        market("KXNFLGAME", "0.9000", "0.9200"),
    ]
}

/// The exchange's answer to a request.
type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

fn page(markets: &[Value], cursor: &str) -> Reply {
    Reply::json(200, json!({ "markets": markets, "cursor": cursor }).to_string())
}

/// A server with prices from a simulated exchange.
struct Comparison {
    site: Site,
    service: Service,
    exchange: Server,
}

impl Comparison {
    /// Serves the season's last week on the morning of its first games.
    async fn at(now: &str, handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let site = Site::empty();
        let folder = fixture("nfl-2023-week-18-slate").join("release");
        let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", MORNING]);
        Self::with_handler(site, now, handler).await
    }

    /// Serves the publications of a site.
    async fn with_handler(site: Site, now: &str, handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let exchange = Server::start(handler).await.expect("a server");
        let settings = [("SPORTS_CLOCK__AS_OF", now), ("SPORTS_PRICES__KALSHI_URL", &exchange.url())];
        let service = site.app_with(&settings).await;
        Self { site, service, exchange }
    }

    /// Requests the comparison, which always succeeds.
    async fn answer(&self) -> Value {
        self.service.json_of("markets/nfl").await
    }
}

/// Returns a game's row, by its home team.
fn row(answer: &Value, home: &str) -> Value {
    let games = answer["games"].as_array().expect("games");
    games.iter().find(|game| game["home_team"] == home).expect("the game").clone()
}

fn prices(row: &Value) -> [Option<f64>; 2] {
    ["kalshi_away", "kalshi_home"].map(|side| row[side].as_f64())
}

fn unpriced(answer: &Value) -> bool {
    let games = answer["games"].as_array().expect("games");
    games.len() == 16 && games.iter().all(|game| prices(game) == [None, None] && game["book_home"].is_number())
}

#[tokio::test]
async fn upcoming_games_have_the_prices_of_their_own_markets() {
    let paged = |request: &Request| {
        let (first, rest) = (listed()[..3].to_vec(), listed()[3..].to_vec());
        match request.query("cursor") {
            None | Some("") => page(&first, "more"),
            Some(_) => page(&rest, ""),
        }
    };
    let comparison = Comparison::at(MORNING, paged).await;
    let answer = comparison.answer().await;
    let baltimore = row(&answer, "baltimore_ravens");
    assert_eq!(prices(&baltimore), [Some(0.63), Some(0.375)]);
    assert_eq!(baltimore["time"], "16:30");
    let number = |name: &str| baltimore[name].as_f64().expect("a number");
    let cheaper = number("book_home").min(0.375);
    assert!((number("edge_home") - (number("model_home") - cheaper)).abs() < 0.000_002, "{baltimore}");
    assert_eq!(prices(&row(&answer, "indianapolis_colts")), [Some(0.51), None], "there is no offer for the home team");
    let others = answer["games"].as_array().expect("games").iter().filter(|game| prices(game) != [None, None]);
    assert_eq!(others.count(), 2, "what is of another day, another series or no team prices nothing");
    assert_eq!(comparison.exchange.requests(), 2, "two pages");
    comparison.answer().await;
    assert_eq!(comparison.exchange.requests(), 2, "and a short memory");
}

#[tokio::test]
async fn a_started_game_is_compared_with_the_prices_recorded_with_its_forecast() {
    let silent = |_: &Request| Reply::json(500, String::new());
    let before = Comparison::at(MORNING, silent).await;
    let morning = before.answer().await;
    let refresh = Folder::copy_of("nfl-2023-week-18-slate")
        .replace(
            "odds.json",
            r#""home_money_line": 130, "away_money_line": -155"#,
            r#""home_money_line": -400, "away_money_line": 300"#,
        )
        .replace(
            "odds.json",
            r#""home_money_line": 105, "away_money_line": -125"#,
            r#""home_money_line": -150, "away_money_line": 130"#,
        );
    std::fs::remove_dir_all(refresh.path().join("predictions")).expect("removed");
    let manifest = r#"{"sport": "nfl", "slate_date": "2024-01-06", "slate": "active", "source_as_of": {"odds": "2024-01-06T22:30:00Z"}}"#;
    std::fs::write(refresh.path().join("release.json"), manifest).expect("written");
    let Comparison { site, service, .. } = before;
    service.stop();
    let _ = site.place.ctl(["publish", refresh.path().to_str().expect("text"), "--as-of", "2024-01-06T22:30:00Z"]);
    let during = Comparison::with_handler(site, "2024-01-06T22:45:00Z", silent).await;
    let answer = during.answer().await;
    let [of_morning, now] = [&morning, &answer].map(|answer| row(answer, "baltimore_ravens"));
    for field in ["book_home", "book_away", "edge_home"] {
        assert_eq!(now[field], of_morning[field], "{field} of a game that began at 21:30");
    }
    let [of_morning, now] = [&morning, &answer].map(|answer| row(answer, "indianapolis_colts"));
    assert!(now["book_home"].as_f64() > of_morning["book_home"].as_f64(), "a game to come has the current odds");
}

#[tokio::test]
async fn a_started_game_has_no_price_while_the_exchange_still_trades() {
    let comparison = Comparison::at("2024-01-06T21:30:00Z", |_| page(&listed(), "")).await;
    let answer = comparison.answer().await;
    assert_eq!(prices(&row(&answer, "baltimore_ravens")), [None, None]);
    assert_eq!(prices(&row(&answer, "indianapolis_colts")), [Some(0.51), None]);
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
