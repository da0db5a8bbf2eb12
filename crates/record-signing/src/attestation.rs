//! Witnesses and timestamp servers over HTTP, as the ports `Witness` and `TimestampServer`.

mod failure;
mod timestamp_server;
mod witness;

use std::time::Duration;

use bytes::Bytes;
use reqwest::{RequestBuilder, StatusCode};

use crate::service::{Terms, body};
use failure::Failure;

pub use timestamp_server::HttpTimestampServer;
pub use witness::HttpWitness;

const TERMS: Terms = Terms {
    // A name that operators of witnesses may have in their rules.
    user_agent: concat!("sports-attestation-http/", env!("CARGO_PKG_VERSION")),
    // Longer than the delay of a lost packet.
    connect_timeout: Duration::from_millis(1_500),
    timeout: None,
};

/// Sends a request and reads at most `limit` bytes of the answer.
async fn answer(request: RequestBuilder, limit: usize) -> Result<(StatusCode, Bytes), Failure> {
    let response = request.send().await.map_err(Failure::Unreachable)?;
    let status = response.status();
    if status.is_redirection() {
        return Err(Failure::Redirect(status));
    }
    let body = body(response, limit).await.map_err(Failure::CutShort)?;
    Ok((status, body.ok_or(Failure::TooLarge(limit))?))
}
