//! Requests to others: without redirects, and with answers of a limited length.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};

use crate::attestation::failure::Failure;

/// The time limit for opening a connection: longer than the delay of a lost packet.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The reason why a client cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The text is not an address.
    #[error("`{address}` is not the address of a witness or a timestamp server")]
    NotAnAddress {
        /// The text.
        address: String,
    },
    /// The program did not install a crypto provider for TLS.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The HTTP client cannot be created.
    #[error("connections to witnesses and timestamp servers cannot be set up")]
    Client(#[source] reqwest::Error),
}

/// Parses an address and creates the client for it. Sends no request.
pub(crate) fn client_for(address: &str) -> Result<(Client, Url), SetupError> {
    // Without a provider the client would panic.
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        return Err(SetupError::NoCryptoProvider);
    }
    let url: Url = address.parse().map_err(|_| SetupError::NotAnAddress { address: address.to_owned() })?;
    let mut client = Client::builder()
        // A name that operators of witnesses may have in their rules.
        .user_agent(concat!("sports-attestation-http/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        // Requests go only to the configured host, even if it redirects.
        .redirect(Policy::none());
    if is_this_machine(&url) {
        client = client.no_proxy();
    }
    Ok((client.build().map_err(SetupError::Client)?, url))
}

/// Sends a request and reads at most `limit` bytes of the answer.
pub(crate) async fn answer(request: RequestBuilder, limit: usize) -> Result<(StatusCode, Bytes), Failure> {
    let response = request.send().await.map_err(Failure::Unreachable)?;
    let status = response.status();
    if status.is_redirection() {
        return Err(Failure::Redirect(status));
    }
    Ok((status, body(response, limit).await?))
}

async fn body(mut response: Response, limit: usize) -> Result<Bytes, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Failure::CutShort)? {
        if body.len() + chunk.len() > limit {
            return Err(Failure::TooLarge(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}

/// Returns `true` for a loopback address. Requests to it do not use a proxy.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
