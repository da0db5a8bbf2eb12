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

use crate::bounds::{LARGEST_PAGE, MOST_PAGES, PATIENCE};
use crate::failure::Failure;
use crate::games::Games;
use crate::page::Page;
use crate::ticker::series_ticker;

/// How long a connection may take: longer than a lost packet costs, and short enough to tell a host that is
/// not there from a league that takes long to read.
const CONNECTION_PATIENCE: Duration = Duration::from_millis(1_500);

/// How often a request is tried again, and how long the first wait is at least. Each further wait is
/// twice as long, and a random part of the first goes on top.
const RETRIES: usize = 2;
const FIRST_WAIT: Duration = Duration::from_millis(150);

/// Gives names and values of headers that belong to what the current task does, such as the trace that it is part of.
pub type Headers = fn() -> Vec<(&'static str, String)>;

/// The exchange's public market data.
pub struct KalshiPrices {
    http: Client,
    markets: Url,
    clock: Arc<dyn Clock>,
    headers: Headers,
    /// How many markets of each league were left out at its last reading.
    unreadable: Mutex<HashMap<Sport, usize>>,
}

/// Why a source of prices cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The text is no address.
    #[error("`{address}` is not the address of a prediction market")]
    NotAnAddress {
        /// The text that was given.
        address: String,
    },
    /// The program forgot to choose its cryptography.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The connections cannot be set up.
    #[error("connections to the prediction market cannot be set up")]
    Client(#[source] reqwest::Error),
}

impl KalshiPrices {
    /// The exchange at a base address without a slash at its end, such as
    /// `https://external-api.kalshi.com/trade-api/v2`. Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// [`SetupError`].
    pub fn new(base: &str, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        // Without one the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(SetupError::NoCryptoProvider);
        }
        let markets: Url =
            format!("{base}/markets").parse().map_err(|_| SetupError::NotAnAddress { address: base.to_owned() })?;
        let mut client = Client::builder()
            .user_agent(concat!("sports-prices-kalshi/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECTION_PATIENCE)
            // Only the host that the operator named is asked, whatever it answers.
            .redirect(Policy::none());
        if is_this_machine(&markets) {
            client = client.no_proxy();
        }
        let http = client.build().map_err(SetupError::Client)?;
        Ok(Self { http, markets, clock, headers: Vec::new, unreadable: Mutex::default() })
    }

    /// Sends headers along with each request.
    #[must_use]
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

    /// Says how many markets were left out, once for each number of them.
    fn log_unreadable(&self, sport: Sport, count: usize) {
        let before = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).insert(sport, count);
        if count > 0 && before != Some(count) {
            tracing::warn!(%sport, markets = count, "markets that cannot be read are left out");
        }
    }

    /// One page, tried again where that may help.
    async fn page(&self, series: &str, cursor: &str) -> Result<Page, Failure> {
        let mut url = self.markets.clone();
        url.query_pairs_mut().extend_pairs([("series_ticker", series), ("status", "open"), ("limit", "1000")]);
        if !cursor.is_empty() {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        let waits = ExponentialBuilder::default().with_min_delay(FIRST_WAIT).with_max_times(RETRIES).with_jitter();
        (|| self.ask(url.clone())).retry(waits).when(Failure::may_pass).await
    }

    async fn ask(&self, url: Url) -> Result<Page, Failure> {
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

/// A stand-in on this machine is not asked through a proxy.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[async_trait]
impl GamePrices for KalshiPrices {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let Some(series) = series_ticker(sport) else { return Ok(None) };
        let as_of = self.clock.now();
        let read = tokio::time::timeout(PATIENCE, self.league(sport, series)).await;
        let games = read.unwrap_or(Err(Failure::TooSlow))?;
        self.log_unreadable(sport, games.unreadable);
        Ok(Some(Arc::new(PriceList { as_of, games: games.into_vec() })))
    }
}
