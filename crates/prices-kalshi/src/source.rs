use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use backon::{ExponentialBuilder, Retryable};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};

use crate::bounds::{LARGEST_PAGE, MOST_PAGES, READ_TIMEOUT};
use crate::failure::Failure;
use crate::games::Games;
use crate::page::Page;
use crate::ticker::series_ticker;

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
        Ok(Self { http, markets, clock, headers: Vec::new, unreadable: Mutex::default() })
    }

    /// Adds headers to each request.
    pub fn with_headers(self, headers: Headers) -> Self {
        Self { headers, ..self }
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
        let read = tokio::time::timeout(READ_TIMEOUT, self.league(sport, series)).await;
        let games = read.unwrap_or(Err(Failure::TooSlow))?;
        self.log_unreadable(sport, games.unreadable);
        Ok(Some(Arc::new(PriceList { as_of, games: games.into_vec() })))
    }
}
