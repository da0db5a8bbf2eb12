//! A client of the service that publishes a record: answers of limited length, and waits that the service requests.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};

use crate::SetupError;
use crate::client::{HostClient, Terms, body};

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
        let mut left = ATTEMPTS;
        loop {
            left -= 1;
            let response = self.send(path).await?;
            let status = response.status();
            if status.is_success() {
                return read(response, path, limit).await;
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
