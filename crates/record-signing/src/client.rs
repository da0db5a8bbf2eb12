//! Requests to one host: without redirects, with answers of a limited length, and with certificates for TLS alone.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, Url};
use tokio::sync::OnceCell;

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
