use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_prices_kalshi::series_ticker;

use super::market::ListedGame;
use super::server::{CutShort, Reply, Request, Server};

/// A callback for the listed games of a league, called for every request.
pub type Listing = dyn Fn(Sport) -> Vec<ListedGame> + Send + Sync;

/// A local server with generated markets for listed games.
#[derive(Debug)]
pub struct Exchange {
    server: Server,
    fault: Arc<Mutex<Option<Fault>>>,
}

/// A fault of the exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Every response is delayed by this time.
    Slow(Duration),
    /// Every response has this status.
    Status(u16),
    /// Every response is an HTML page.
    Html,
    /// Every response is truncated JSON.
    TruncatedJson,
    /// Every connection ends in the middle of the body.
    CutShort,
    /// Every page has the same page as the next.
    RepeatedCursor,
}

impl Exchange {
    /// Starts an exchange on a free port of this machine.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot listen on a port.
    pub async fn start(listing: Arc<Listing>, clock: Arc<dyn Clock>) -> io::Result<Self> {
        let fault = Arc::new(Mutex::new(None));
        let current = Arc::clone(&fault);
        let server = Server::start(move |request| {
            let reply = page(request, &*listing, &*clock);
            let fault = *current.lock().unwrap_or_else(PoisonError::into_inner);
            fault.map_or_else(|| reply.clone(), |fault| spoilt(reply.clone(), fault))
        });
        Ok(Self { server: server.await?, fault })
    }

    /// Returns the base address, for the setting `prices.kalshi_url`.
    pub fn url(&self) -> String {
        format!("{}{BASE}", self.server.url())
    }

    /// Returns the number of received requests.
    pub fn requests(&self) -> usize {
        self.server.requests()
    }

    /// Sets the fault of further responses; `None` removes it.
    pub fn set_fault(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }
}

const BASE: &str = "/trade-api/v2";

/// Returns a page of `GET /markets`.
fn page(request: &Request, listing: &Listing, clock: &dyn Clock) -> Reply {
    if request.path != format!("{BASE}/markets") {
        return error(404, "not_found");
    }
    if !matches!(request.query("status"), None | Some("open")) {
        return Reply::json(200, json!({ "markets": [], "cursor": "" }).to_string());
    }
    let (limit, from) = (request.query("limit").unwrap_or("100"), request.query("cursor").unwrap_or("0"));
    let (Ok(limit @ 1..=1000), Ok(from)) = (limit.parse::<usize>(), from.parse::<usize>()) else {
        return error(400, "bad_request");
    };
    let wanted = request.query("series_ticker");
    let sports = Sport::ALL.into_iter().filter(|sport| wanted.is_none() || series_ticker(*sport) == wanted);
    let now = clock.now();
    let markets: Vec<Value> =
        sports.flat_map(|sport| listing(sport).into_iter().flat_map(move |game| game.markets(sport, now))).collect();
    let next = from.saturating_add(limit);
    let cursor = if next < markets.len() { next.to_string() } else { String::new() };
    let shown: Vec<_> = markets.into_iter().skip(from).take(limit).collect();
    Reply::json(200, json!({ "markets": shown, "cursor": cursor }).to_string())
}

fn error(status: u16, code: &str) -> Reply {
    Reply::json(status, json!({ "code": code, "message": code }).to_string())
}

fn spoilt(mut reply: Reply, fault: Fault) -> Reply {
    match fault {
        Fault::Slow(after) => reply.after = after,
        Fault::Status(status) => return Reply::json(status, r#"{"error":"too many requests"}"#),
        Fault::Html => {
            reply.content_type = "text/html";
            reply.body = "<!doctype html><title>Maintenance</title><h1>Back soon</h1>".into();
        }
        Fault::TruncatedJson => reply.body.truncate(reply.body.len() / 2),
        Fault::CutShort => reply.cut_short = Some(CutShort::InTheBody),
        Fault::RepeatedCursor => {
            let text = String::from_utf8_lossy(&reply.body);
            reply.body = text.replace(r#""cursor":"""#, r#""cursor":"0""#).into();
        }
    }
    reply
}
