use async_trait::async_trait;
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use sports_ports::PortError;
use sports_ports::attestation::TimestampServer;

use crate::SetupError;
use crate::attestation::failure::Failure;
use crate::attestation::{TERMS, answer};
use crate::service::HostClient;

const PORT: &str = "a timestamp server";

/// The longest reply that is read. A token with its certificates has less than 10 KiB.
const LIMIT: usize = 256 << 10;

/// A timestamp server by RFC 3161, over HTTP.
#[derive(Debug)]
pub struct HttpTimestampServer {
    http: HostClient,
    address: String,
}

impl HttpTimestampServer {
    /// Creates the client of the server at an address. Sends no request.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the address is invalid, or no crypto provider is installed.
    pub fn new(address: &str) -> Result<Self, SetupError> {
        Ok(Self { http: HostClient::new(address, TERMS)?, address: address.to_owned() })
    }

    async fn sent(&self, request: &[u8]) -> Result<Bytes, Failure> {
        let post = self.http.post().await.map_err(Failure::Unreachable)?;
        let post = post.header(CONTENT_TYPE, "application/timestamp-query");
        let post = post.header(ACCEPT, "application/timestamp-reply").body(request.to_vec());
        let (status, bytes) = answer(post, LIMIT).await?;
        if status.is_success() { Ok(bytes) } else { Err(Failure::Status(status)) }
    }
}

#[async_trait]
impl TimestampServer for HttpTimestampServer {
    fn address(&self) -> &str {
        &self.address
    }

    async fn timestamp(&self, request: &[u8]) -> Result<Bytes, PortError> {
        self.sent(request).await.map_err(|failure| failure.of(PORT))
    }
}
