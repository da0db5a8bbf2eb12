//! A client of the service that publishes a record: answers of limited length, and waits that the service requests.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode, Url};
use tokio::sync::OnceCell;

const TERMS: Terms = Terms {
    user_agent: concat!("sportsctl/", env!("CARGO_PKG_VERSION")),
    connect_timeout: Duration::from_secs(10),
    timeout: Some(Duration::from_mins(2)),
};

/// The number of times that a request is sent if the service requests a wait.
const ATTEMPTS: u32 = 20;

/// The longest wait that is granted to a service.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// The wait if a service is busy and states no number of seconds, as proxies do.
const UNSTATED_WAIT: Duration = Duration::from_secs(5);

/// The longest part of the body of an error that is read.
const DETAIL: usize = 4096;

/// A client of one service.
pub struct RecordClient {
    http: HostClient,
    key: Option<String>,
    waits: fn(Duration),
}

/// An answer of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub bytes: Bytes,
    /// The number of the league's entry that the answer is of; `None` if the service states none.
    pub generation: Option<u64>,
}

/// The reason for which an answer is missing.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The service cannot be reached, or ended its answer too early.
    #[error("{path} cannot be read")]
    Unreachable {
        path: String,
        /// The error of the connection.
        #[source]
        source: reqwest::Error,
    },
    /// The service answered with an error.
    #[error("{path} is answered with {status}: {detail}")]
    Status {
        path: String,
        status: u16,
        /// The service's own words, or nothing.
        detail: String,
    },
    /// The answer is too long.
    #[error("the answer for {path} is longer than {limit} bytes")]
    TooLarge { path: String, limit: usize },
}

impl FetchError {
    /// Returns `true` if the service does not have what was requested.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Status { status: 404, .. })
    }
}

impl fmt::Debug for RecordClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecordClient({})", self.http.url())
    }
}

impl RecordClient {
    /// Creates the client of the service at a base address. `waits` gets the time before each wait. Sends no request.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the text is not an address, or no crypto provider is installed.
    pub fn new(base: &str, key: Option<String>, waits: fn(Duration)) -> Result<Self, SetupError> {
        let http = HostClient::new(base, TERMS)?;
        // A path follows the address.
        let is_bare = http.url().query().is_none() && http.url().fragment().is_none();
        if is_bare { Ok(Self { http, key, waits }) } else { Err(SetupError::NotAnAddress(base.to_owned())) }
    }

    /// Reads the answer for a path with its query, of at most `limit` bytes. The key is sent if the client has one.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is no such answer.
    pub async fn get(&self, path: &str, limit: usize) -> Result<Bytes, FetchError> {
        self.answer(path, limit).await.map(|answer| answer.bytes)
    }

    /// Reads the answer for a path with its query, as [`get`](Self::get) does, with the entry of which the service made it.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is no such answer.
    pub async fn answer(&self, path: &str, limit: usize) -> Result<Answer, FetchError> {
        let mut left = ATTEMPTS;
        loop {
            left -= 1;
            let response = self.send(path).await?;
            let status = response.status();
            if status.is_success() {
                let generation =
                    response.headers().get("X-Generation").and_then(|value| value.to_str().ok()?.parse().ok());
                return Ok(Answer { bytes: read(response, path, limit).await?, generation });
            }
            match wait_of(&response).filter(|_| left > 0) {
                Some(wait) => {
                    (self.waits)(wait);
                    tokio::time::sleep(wait).await;
                }
                None => return Err(refused(response, path).await),
            }
        }
    }

    async fn send(&self, path: &str) -> Result<Response, FetchError> {
        let mut request = self.http.get(path).await.map_err(|source| unreachable(path, source))?;
        if let Some(key) = &self.key {
            request = request.header("X-API-Key", key);
        }
        request.send().await.map_err(|source| unreachable(path, source))
    }
}

/// Returns the wait that a service requests; `None` for one that is too long, as when the calls of a month are used up.
fn wait_of(response: &Response) -> Option<Duration> {
    let requests_wait = matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    let stated = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let wait = stated.map_or(UNSTATED_WAIT, Duration::from_secs).max(Duration::from_secs(1));
    Some(wait).filter(|wait| requests_wait && *wait <= LONGEST_WAIT)
}

async fn read(response: Response, path: &str, limit: usize) -> Result<Bytes, FetchError> {
    let body = body(response, limit).await.map_err(|source| unreachable(path, source))?;
    body.ok_or_else(|| FetchError::TooLarge { path: path.to_owned(), limit })
}

/// Returns the error for an answer with another status than 200.
async fn refused(response: Response, path: &str) -> FetchError {
    let status = response.status().as_u16();
    let body = read(response, path, DETAIL).await.unwrap_or_default();
    let text: String = String::from_utf8_lossy(&body).chars().filter(|symbol| !symbol.is_control()).take(500).collect();
    FetchError::Status { path: path.to_owned(), status, detail: text }
}

fn unreachable(path: &str, source: reqwest::Error) -> FetchError {
    // The address of the error has the base again.
    FetchError::Unreachable { path: path.to_owned(), source: source.without_url() }
}

// Requests to one host: without redirects, with answers of a limited length, and with certificates for TLS alone.

/// The reason for which there is no client of an address.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The text is not an address of HTTP.
    #[error("`{0}` is not an address of HTTP, such as https://example.com")]
    NotAnAddress(String),
    /// The program did not install a crypto provider for TLS.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
}

/// The name and the time limits of a client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) user_agent: &'static str,
    pub(crate) connect_timeout: Duration,
    /// The time limit of a request, with its answer; `None` if the caller limits the time.
    pub(crate) timeout: Option<Duration>,
}

/// A client of one host.
#[derive(Debug)]
pub(crate) struct HostClient {
    url: Url,
    terms: Terms,
    client: OnceCell<Client>,
}

impl HostClient {
    /// Parses an address. Sends no request, and reads no certificates.
    pub(crate) fn new(address: &str, terms: Terms) -> Result<Self, SetupError> {
        // Without a provider the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(SetupError::NoCryptoProvider);
        }
        let url = address.parse().ok().filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| SetupError::NotAnAddress(address.to_owned()))?;
        Ok(Self { url, terms, client: OnceCell::new() })
    }

    /// Returns the address.
    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    /// Returns a request that posts to the address.
    pub(crate) async fn post(&self) -> reqwest::Result<RequestBuilder> {
        Ok(self.client().await?.post(self.url.clone()))
    }

    /// Returns a request of a path with its query, below the address.
    pub(crate) async fn get(&self, path: &str) -> reqwest::Result<RequestBuilder> {
        Ok(self.client().await?.get(format!("{}{path}", self.url.as_str().trim_end_matches('/'))))
    }

    /// Returns the HTTP client, which the first request creates.
    async fn client(&self) -> reqwest::Result<&Client> {
        self.client.get_or_try_init(async || self.build()).await
    }

    fn build(&self) -> reqwest::Result<Client> {
        let Terms { user_agent, connect_timeout, timeout } = self.terms;
        let mut client = ClientBuilder::new().user_agent(user_agent).connect_timeout(connect_timeout);
        // Requests go only to the configured host, even if it redirects.
        client = client.redirect(Policy::none());
        if let Some(timeout) = timeout {
            client = client.timeout(timeout);
        }
        let is_local = is_this_machine(&self.url);
        if is_local {
            client = client.no_proxy();
        }
        // Reading the machine's certificates takes longer than many requests, and only TLS needs them.
        if self.url.scheme() == "http" && (is_local || !has_proxy()) {
            client = client.tls_certs_only([]);
        }
        client.build()
    }
}

/// Reads the body of an answer; `None` if it is longer than `limit` bytes.
pub(crate) async fn body(mut response: Response, limit: usize) -> reqwest::Result<Option<Bytes>> {
    let stated = response.content_length().and_then(|length| usize::try_from(length).ok());
    let mut body = Vec::with_capacity(stated.unwrap_or_default().min(limit));
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > limit {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body.into()))
}

/// Returns `true` for a loopback address. Requests to it do not use a proxy.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Returns `true` if the environment may name a proxy, to which connections can be TLS.
fn has_proxy() -> bool {
    std::env::vars_os().any(|(name, _)| name.to_ascii_lowercase().to_string_lossy().ends_with("_proxy"))
}
