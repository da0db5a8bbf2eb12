use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use backon::{ExponentialBuilder, Retryable};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use sports_domain::Sport;
use sports_ports::calls::{CallObserver, observed};
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_publication::slate::{QuotedGame, QuotedTeam};

use crate::book::{Book, Dollars, LARGEST_PAGE, MOST_PAGES, READ_TIMEOUT};
use crate::ticker::{Ticker, series_ticker};

/// The time limit for opening a connection: longer than the delay of a lost packet, and short enough to distinguish
/// an unreachable host from a slow league.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The number of retries, and the first delay. Each further delay doubles, plus a random part of the first.
const RETRIES: usize = 2;

const FIRST_DELAY: Duration = Duration::from_millis(150);

/// A callback for names and values of headers that belong to the current task, such as its trace.
pub type Headers = fn() -> Vec<(&'static str, String)>;

/// The exchange's public market data.
pub struct KalshiPrices {
    http: Client,
    markets: Url,
    clock: Arc<dyn Clock>,
    headers: Headers,
    observer: CallObserver,
    /// The number of markets that were left out when each league was last read.
    unreadable: Mutex<HashMap<Sport, usize>>,
}

/// The reason why a source of prices cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The text is not an address.
    #[error("`{address}` is not the address of a prediction market")]
    NotAnAddress { address: String },
    /// The program did not install a crypto provider for TLS.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The HTTP client cannot be created.
    #[error("connections to the prediction market cannot be set up")]
    Client(#[source] reqwest::Error),
}

impl KalshiPrices {
    /// Creates the source at a base address without a trailing slash, such as
    /// `https://external-api.kalshi.com/trade-api/v2`. Sends no request.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the address is invalid, or the HTTP client cannot be created.
    pub fn new(base: &str, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        // Without a provider the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(SetupError::NoCryptoProvider);
        }
        let markets: Url =
            format!("{base}/markets").parse().map_err(|_| SetupError::NotAnAddress { address: base.to_owned() })?;
        let mut client = Client::builder()
            .user_agent(concat!("sports-prices-kalshi/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            // Requests go only to the configured host, even if it redirects.
            .redirect(Policy::none());
        if is_this_machine(&markets) {
            client = client.no_proxy();
        }
        let http = client.build().map_err(SetupError::Client)?;
        Ok(Self {
            http,
            markets,
            clock,
            headers: Vec::new,
            observer: CallObserver::ignoring(),
            unreadable: Mutex::default(),
        })
    }

    /// Adds headers to each request.
    pub fn with_headers(self, headers: Headers) -> Self {
        Self { headers, ..self }
    }

    /// Adds an observer of the reads of leagues.
    pub fn observed_by(self, observer: CallObserver) -> Self {
        Self { observer, ..self }
    }

    async fn league(&self, sport: Sport, series: &str) -> Result<Games, Failure> {
        let (mut games, mut seen, mut cursor) = (Games::default(), HashSet::new(), String::new());
        for _ in 0..MOST_PAGES {
            let page = self.page(series, &cursor).await?;
            page.markets.iter().for_each(|market| games.add(sport, market));
            match page.next() {
                None => return Ok(games),
                Some(next) if !seen.insert(next.to_owned()) => return Err(Failure::RepeatedCursor),
                Some(next) => next.clone_into(&mut cursor),
            }
        }
        Err(Failure::TooManyPages)
    }

    /// Logs the number of markets that were left out, if it changed.
    fn log_unreadable(&self, sport: Sport, count: usize) {
        let before = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).insert(sport, count);
        if count > 0 && before != Some(count) {
            tracing::warn!(%sport, markets = count, "markets that cannot be read are left out");
        }
    }

    /// Reads a page, with retries of transient failures.
    async fn page(&self, series: &str, cursor: &str) -> Result<Page, Failure> {
        let mut url = self.markets.clone();
        url.query_pairs_mut().extend_pairs([("series_ticker", series), ("status", "open"), ("limit", "1000")]);
        if !cursor.is_empty() {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        let delays = ExponentialBuilder::default().with_min_delay(FIRST_DELAY).with_max_times(RETRIES).with_jitter();
        (|| self.request_page(url.clone())).retry(delays).when(Failure::may_pass).await
    }

    async fn request_page(&self, url: Url) -> Result<Page, Failure> {
        let request =
            (self.headers)().into_iter().fold(self.http.get(url), |request, (name, value)| request.header(name, value));
        let response = request.send().await.map_err(Failure::Unreachable)?;
        match response.status() {
            status if status.is_redirection() => return Err(Failure::Redirect(status)),
            status if !status.is_success() => return Err(Failure::Status(status)),
            _ => {}
        }
        Ok(serde_json::from_slice(&body(response).await?)?)
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Failure::CutShort)? {
        if body.len() + chunk.len() > LARGEST_PAGE {
            return Err(Failure::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Returns `true` for a loopback address. Requests to it do not use a proxy.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[async_trait]
impl GamePrices for KalshiPrices {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let Some(series) = series_ticker(sport) else { return Ok(None) };
        let as_of = self.clock.now();
        let read = async {
            let read = tokio::time::timeout(READ_TIMEOUT, self.league(sport, series)).await;
            read.unwrap_or(Err(Failure::TooSlow))
        };
        let games = observed(&self.observer, read, |_| true).await?;
        self.log_unreadable(sport, games.unreadable);
        Ok(Some(Arc::new(PriceList { as_of, games: games.into_vec() })))
    }
}

/// A league's games, assembled from their markets.
#[derive(Debug, Default)]
pub(crate) struct Games {
    by_event: BTreeMap<String, QuotedGame>,
    /// The number of markets that were left out because they cannot be parsed.
    pub(crate) unreadable: usize,
}

impl Games {
    /// Adds a market. Leaves out markets that cannot be parsed or are not about a game of the league.
    pub(crate) fn add(&mut self, sport: Sport, listed: &Listed) {
        match listed {
            Listed::Market(market) => self.add_market(sport, market),
            Listed::Unreadable(_) => self.unreadable += 1,
        }
    }

    fn add_market(&mut self, sport: Sport, market: &Market) {
        let Some(ticker) = Ticker::read(sport, &market.ticker) else { return };
        let game = self.by_event.entry(ticker.event.to_owned()).or_insert_with(|| unpriced(&ticker));
        let price = if market.is_open() { market.book().price() } else { None };
        if let Some(quoted) = game.teams.iter_mut().find(|quoted| quoted.team == *ticker.pays) {
            quoted.price = price;
        }
    }

    pub(crate) fn into_vec(self) -> Vec<QuotedGame> {
        self.by_event.into_values().collect()
    }
}

fn unpriced(ticker: &Ticker<'_>) -> QuotedGame {
    QuotedGame {
        date: ticker.date,
        time: ticker.time,
        game_number: ticker.game_number,
        teams: [ticker.away, ticker.home].map(|team| QuotedTeam { team: team.clone(), price: None }),
    }
}

/// The name of the exchange in logs and errors.
pub(crate) const PORT: &str = "the prediction market";

/// The error for an unreachable host: no connection, or one that ended before a response began.
///
/// A source of prices that fails for this reason has this error as the cause of its failure.
#[derive(Debug, thiserror::Error)]
#[error("it cannot be reached")]
pub struct Unreachable(#[source] pub Box<dyn Error + Send + Sync>);

/// The reason why a league could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("it cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("its answer ended too early")]
    CutShort(#[source] reqwest::Error),
    #[error("it answered {0}: it leads elsewhere, and requests go only to the address in prices.kalshi_url")]
    Redirect(StatusCode),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("it took longer than {READ_TIMEOUT:?}")]
    TooSlow,
    #[error("its answer is not a page of markets")]
    NotAPage(#[from] serde_json::Error),
    #[error("a page is larger than {LARGEST_PAGE} bytes")]
    TooLarge,
    #[error("a page names an earlier one as the next")]
    RepeatedCursor,
    #[error("there are more than {MOST_PAGES} pages")]
    TooManyPages,
}

impl Failure {
    /// Returns `true` if the same request may succeed soon.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            // A second connection timeout would exceed the time limit for the league.
            Self::Unreachable(error) => !error.is_timeout(),
            Self::CutShort(_) => true,
            Self::Status(status) => *status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error(),
            _ => false,
        }
    }
}

impl From<Failure> for PortError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Unreachable(error) => Self::unavailable(PORT, Unreachable(error.into())),
            Failure::TooSlow => Self::unavailable(PORT, failure),
            _ if failure.may_pass() => Self::unavailable(PORT, failure),
            // A permanent refusal.
            _ => Self::corrupt(PORT, failure),
        }
    }
}

/// A page of `GET /markets`. Other fields are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    pub(crate) markets: Vec<Listed>,
    /// The cursor of the next page; empty or missing on the last page.
    #[serde(default)]
    cursor: Option<String>,
}

/// A listed market. An invalid market does not affect the others.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Listed {
    Market(Box<Market>),
    Unreadable(IgnoredAny),
}

/// A market of a page. Amounts are parsed on demand, so that an invalid amount does not affect the others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Market {
    pub(crate) ticker: String,
    status: String,
    yes_bid_dollars: Value,
    yes_ask_dollars: Value,
    last_price_dollars: Value,
    yes_bid: Value,
    yes_ask: Value,
    last_price: Value,
}

impl Page {
    pub(crate) fn next(&self) -> Option<&str> {
        self.cursor.as_deref().filter(|cursor| !cursor.is_empty())
    }
}

impl Market {
    /// Returns `true` if the market trades.
    pub(crate) fn is_open(&self) -> bool {
        matches!(&*self.status, "active" | "open")
    }

    pub(crate) fn book(&self) -> Book {
        let amount = |dollars, cents| Dollars::read(dollars).or_else(|| Dollars::read_cents(cents));
        Book {
            bid: amount(&self.yes_bid_dollars, &self.yes_bid),
            ask: amount(&self.yes_ask_dollars, &self.yes_ask),
            last: amount(&self.last_price_dollars, &self.last_price),
        }
    }
}
