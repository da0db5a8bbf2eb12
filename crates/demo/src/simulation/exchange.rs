//! A stand-in for the prediction market's exchange: a local server with the same format.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, Utc};
use futures::{FutureExt, Stream, StreamExt, stream};
use http_body_util::StreamBody;
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use sports_domain::{Probability, Sport, TeamSlug, eastern_instant};
use sports_ports::Clock;
use sports_prices_kalshi::{MONTHS, club_code, series_ticker};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

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

/// A request that the server received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The path, such as `/markets`.
    pub path: String,
    query: Vec<(String, String)>,
}

impl Request {
    fn from_uri(uri: &hyper::Uri) -> Self {
        // The base supplies a host, without which the address is not a URL.
        let url = url::Url::parse("http://exchange").and_then(|base| base.join(&uri.to_string()));
        let query = url.map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default();
        Self { path: uri.path().to_owned(), query }
    }

    /// Returns the value of a query parameter.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}

/// A response of the server.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    /// The value of the `Content-Type` header.
    pub content_type: &'static str,
    pub body: Bytes,
    /// The value of the `Location` header of a redirect.
    pub location: Option<String>,
    /// The delay before the response.
    pub after: Duration,
    /// The point at which the connection ends early, if it does.
    pub cut_short: Option<CutShort>,
}

/// The point at which a connection ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutShort {
    /// After the request, before the response.
    BeforeTheAnswer,
    /// In the middle of the body.
    InTheBody,
}

impl Reply {
    /// Creates a JSON response, without delay.
    pub fn json(status: u16, body: impl Into<Bytes>) -> Self {
        let (content_type, after) = ("application/json", Duration::ZERO);
        Self { status, content_type, body: body.into(), location: None, after, cut_short: None }
    }

    /// Creates a redirect, without delay.
    pub fn redirect(status: u16, location: String) -> Self {
        Self { location: Some(location), ..Self::json(status, "{}") }
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// A running server, which stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    listening: JoinHandle<()>,
}

impl Server {
    /// Listens on a free port of this machine, and responds with the result of `answer`.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot listen on a port.
    pub async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let (address, requests) = (listener.local_addr()?, Arc::new(AtomicUsize::new(0)));
        let (answer, count): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&requests));
        let listening = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                // Head and body are sent separately: without this, the body is delayed until the head is
                // acknowledged.
                connection.set_nodelay(true).unwrap_or_default();
                tokio::spawn(serve(connection, Arc::clone(&answer), Arc::clone(&count)));
            }
        });
        Ok(Self { address, requests, listening })
    }

    /// Returns the base address, such as `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of received requests.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn serve(connection: TcpStream, answer: Arc<Answer>, count: Arc<AtomicUsize>) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        count.fetch_add(1, Ordering::SeqCst);
        let reply = answer(&Request::from_uri(request.uri()));
        async move {
            tokio::time::sleep(reply.after).await;
            if reply.cut_short == Some(CutShort::BeforeTheAnswer) {
                return Err(io::Error::other("cut short on request"));
            }
            Ok(response(reply))
        }
    });
    // A client may disconnect at any time.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

fn response(reply: Reply) -> hyper::Response<StreamBody<impl Stream<Item = io::Result<Frame<Bytes>>>>> {
    let length = reply.body.len();
    let frames = if reply.cut_short.is_some() {
        vec![Ok(Frame::data(reply.body.slice(..length / 2))), Err(io::Error::other("cut short on request"))]
    } else {
        vec![Ok(Frame::data(reply.body))]
    };
    // A frame is sent before the next one is produced, so that an early end falls in the body.
    let frames = stream::iter(frames).then(|frame| tokio::task::yield_now().map(|()| frame));
    let mut response = hyper::Response::new(StreamBody::new(frames));
    *response.status_mut() = hyper::StatusCode::from_u16(reply.status).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    if let Some(location) = reply.location.and_then(|location| HeaderValue::try_from(location).ok()) {
        headers.insert(LOCATION, location);
    }
    headers.insert(CONTENT_LENGTH, length.into());
    response
}

/// A game that the stand-in lists, with one market for each team.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedGame {
    /// The Eastern date.
    pub date: NaiveDate,
    /// The Eastern start.
    pub time: Option<NaiveTime>,
    /// The number of the game within a doubleheader.
    pub game_number: Option<u8>,
    /// The visiting team.
    pub away: TeamSlug,
    pub home: TeamSlug,
    /// The probability of a home win. Prices stay near it.
    pub home_probability: Probability,
}

/// The time between changes of prices, in seconds.
const STEP: i64 = 15;

impl ListedGame {
    /// Returns both teams' markets with their prices at `now`; empty if the exchange does not list such a game.
    pub(crate) fn markets(&self, sport: Sport, now: DateTime<Utc>) -> Vec<Value> {
        let codes = club_code(sport, &self.away).zip(club_code(sport, &self.home));
        let Some((series, (away, home))) = series_ticker(sport).zip(codes) else { return Vec::new() };
        let event = format!("{series}-{}{away}{home}{}", self.start(sport), self.number());
        let home_cents = in_cents(self.home_probability) + price_offset(&event, now);
        vec![self.market(&event, home, home_cents), self.market(&event, away, 100 - home_cents)]
    }

    /// Formats the start: `26NOV22`, and in baseball the time as well.
    fn start(&self, sport: Sport) -> String {
        let month = MONTHS[self.date.month0() as usize];
        let time = self.time.filter(|_| sport == Sport::Mlb).map(|time| time.format("%H%M").to_string());
        format!("{:02}{month}{:02}{}", self.date.year() % 100, self.date.day(), time.unwrap_or_default())
    }

    fn number(&self) -> String {
        self.game_number.map_or_else(String::new, |number| format!("G{number}"))
    }

    fn market(&self, event: &str, team: &str, cents: i64) -> Value {
        let cents = cents.clamp(2, 98);
        let (bid, ask) = (cents - noise(team, 2), cents + noise(event, 2));
        let start = eastern_instant(self.date, self.time.unwrap_or_default());
        let instant = |hours| (start + TimeDelta::hours(hours)).to_rfc3339_opts(SecondsFormat::Secs, true);
        json!({
            "ticker": format!("{event}-{team}"),
            "event_ticker": event,
            "market_type": "binary",
            "strike_type": "structured",
            "title": format!("{team} wins"),
            "yes_sub_title": team,
            "no_sub_title": team,
            "status": "active",
            "result": "",
            "yes_bid_dollars": dollars(bid),
            "yes_ask_dollars": dollars(ask),
            "no_bid_dollars": dollars(100 - ask),
            "no_ask_dollars": dollars(100 - bid),
            "last_price_dollars": dollars(cents),
            "volume_fp": format!("{}.00", 1_000 + noise(event, 50_000)),
            "open_time": instant(-24 * 12),
            "occurrence_datetime": instant(3),
            "expected_expiration_time": instant(3),
            "close_time": instant(48),
            "price_level_structure": "linear_cent",
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a probability is at most one")]
fn in_cents(probability: Probability) -> i64 {
    (probability.get() * 100.0).round() as i64
}

/// Returns an offset of up to two cents, which changes every few seconds.
fn price_offset(event: &str, now: DateTime<Utc>) -> i64 {
    noise(&format!("{event}{}", now.timestamp().div_euclid(STEP)), 5) - 2
}

/// Returns a number below `limit` that depends on the text alone.
fn noise(text: &str, limit: u64) -> i64 {
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |mix, byte| (mix ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    i64::try_from((mixed >> 20) % limit).unwrap_or_default()
}

fn dollars(cents: i64) -> String {
    format!("{}.{:02}00", cents / 100, cents % 100)
}
