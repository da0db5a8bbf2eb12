use std::sync::Arc;

use serde_json::{Value, json};
use sports_demo::simulation::exchange::{Reply, Request, Server};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::prices::GamePrices;
use sports_prices_kalshi::KalshiPrices;
use sports_publication::slate::{QuotedGame, QuotedPrice};
use sports_testkit::clock::ClockFake;

pub const NOW: &str = "2026-11-20T12:00:00Z";

/// Creates the source at an address.
pub fn source_at(url: &str) -> KalshiPrices {
    // Another test may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    KalshiPrices::new(url, Arc::new(ClockFake::at(NOW))).expect("an address")
}

/// Starts a server with these replies and reads a league from it. Returns the result and the number of requests.
pub async fn read(
    sport: Sport,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (Result<Vec<QuotedGame>, PortError>, usize) {
    let server = Server::start(answer).await.expect("a server");
    let read = source_at(&server.url()).prices(sport).await;
    (read.map(|list| list.expect("covered").games.clone()), server.requests())
}

/// Reads the games of a single page with these markets.
pub async fn games(sport: Sport, markets: Value) -> Vec<QuotedGame> {
    read(sport, move |_| page(&markets, "")).await.0.expect("reads")
}

pub fn page(markets: &Value, cursor: &str) -> Reply {
    Reply::json(200, json!({ "markets": markets, "cursor": cursor }).to_string())
}

/// Returns an open market with prices in dollars.
pub fn market(ticker: &str, bid: &str, ask: &str, last: &str) -> Value {
    json!({
        "ticker": ticker, "status": "active",
        "yes_bid_dollars": bid, "yes_ask_dollars": ask, "last_price_dollars": last,
    })
}

/// Formats a game in one line: date, start, number, then each team with its price.
pub fn game_line(game: &QuotedGame) -> String {
    let time = game.time.map_or_else(|| "-".to_owned(), |time| time.format("%H:%M").to_string());
    let number = game.game_number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let price = |price: Option<QuotedPrice>| {
        price.map_or_else(|| "-".to_owned(), |price| price.probability().get().to_string())
    };
    let teams = game.teams.each_ref().map(|quoted| format!("{} {}", quoted.team, price(quoted.price)));
    format!("{} {time} {number} {} {}", game.date, teams[0], teams[1])
}
