use async_trait::async_trait;
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Url};
use sports_ports::PortError;
use sports_ports::attestation::TimestampServer;

use crate::attestation::client::{SetupError, answer, client_for};
use crate::attestation::failure::Failure;

const PORT: &str = "a timestamp server";

/// The longest reply that is read. A token with its certificates has less than 10 KiB.
const LIMIT: usize = 256 << 10;

/// A timestamp server by RFC 3161, over HTTP.
#[derive(Debug)]
pub struct HttpTimestampServer {
    http: Client,
    address: String,
    url: Url,
}

impl HttpTimestampServer {
    /// Creates the client of the server at an address. Sends no request.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the address is invalid, or the HTTP client cannot be created.
    pub fn new(address: &str) -> Result<Self, SetupError> {
        let (http, url) = client_for(address)?;
        Ok(Self { http, address: address.to_owned(), url })
    }

    async fn sent(&self, request: &[u8]) -> Result<Bytes, Failure> {
        let post = self.http.post(self.url.clone()).header(CONTENT_TYPE, "application/timestamp-query");
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
