use std::time::Duration;

use chrono::DateTime;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};

use super::TIMEOUT;
use crate::service::Service;

/// A client that sends any bytes.
pub struct Client {
    stream: TcpStream,
    /// The bytes that have arrived and are not read yet.
    arrived: Vec<u8>,
}

/// An answer with its head and body as received.
#[derive(Debug)]
pub struct RawAnswer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Client {
    const fn of(stream: TcpStream) -> Self {
        Self { stream, arrived: Vec::new() }
    }

    pub async fn connect(service: &Service) -> Self {
        Self::of(TcpStream::connect(service.address()).await.expect("it accepts"))
    }

    /// Connects from another address of this machine, such as `127.0.0.2`.
    pub async fn of_address(service: &Service, address: &str) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((address.parse::<std::net::IpAddr>().expect("an address"), 0).into()).expect("a system of Linux");
        Self::of(socket.connect(service.address().parse().expect("an address")).await.expect("it accepts"))
    }

    /// Connects with a small receive buffer.
    pub async fn with_a_small_buffer(service: &Service) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("set");
        Self::of(socket.connect(service.address().parse().expect("an address")).await.expect("it accepts"))
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.expect("sent");
    }

    /// Sends these bytes unless the server has closed the connection.
    pub async fn try_send(&mut self, bytes: &[u8]) {
        drop(self.stream.write_all(bytes).await);
    }

    /// Sends the same bytes again and again, with pauses, until the server accepts no more.
    pub async fn drip(&mut self, bytes: &[u8], pause: Duration) {
        let started = Instant::now();
        while self.stream.write_all(bytes).await.is_ok() {
            assert!(started.elapsed() < TIMEOUT, "the server still accepts more");
            sleep(pause).await;
            if self.has_ended().await {
                break;
            }
        }
    }

    /// Sends the same bytes without a pause, reading nothing, until the server accepts no more.
    pub async fn flood(&mut self, bytes: &[u8]) {
        let endless = async { while self.stream.write_all(bytes).await.is_ok() {} };
        timeout(2 * TIMEOUT, endless).await.expect("the server accepts no more");
    }

    /// Returns whether the server has closed the connection, or answered.
    async fn has_ended(&self) -> bool {
        timeout(Duration::ZERO, self.stream.readable()).await.is_ok()
    }

    /// Reads the next bytes; `None` at the end.
    pub async fn some(&mut self, most: usize) -> Option<Vec<u8>> {
        if !self.arrived.is_empty() {
            return Some(self.arrived.drain(..most.min(self.arrived.len())).collect());
        }
        self.receive(most).await
    }

    async fn receive(&mut self, most: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; most];
        let read = timeout(TIMEOUT, self.stream.read(&mut bytes)).await.expect("the server goes on").unwrap_or(0);
        bytes.truncate(read);
        (read > 0).then_some(bytes)
    }

    /// Closes the sending side.
    pub async fn end(&mut self) {
        self.stream.shutdown().await.expect("it is open");
    }

    /// Reads the status and head of the next answer; `None` if the connection ends instead.
    pub async fn head(&mut self) -> Option<(u16, String)> {
        const END: &[u8] = b"\r\n\r\n";
        let end = loop {
            if let Some(place) = self.arrived.windows(END.len()).position(|bytes| bytes == END) {
                break place + END.len();
            }
            let more = self.receive(4096).await?;
            self.arrived.extend(more);
        };
        let head = String::from_utf8(self.arrived.drain(..end).collect()).expect("text");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Some((status, head))
    }

    /// Reads the next answer to a request whose answers have no body.
    pub async fn head_of_answer(&mut self) -> Option<RawAnswer> {
        let (status, head) = self.head().await?;
        Some(RawAnswer { status, head, body: Vec::new() })
    }

    /// Reads the next answer; `None` if the connection ends instead.
    pub async fn answer(&mut self) -> Option<RawAnswer> {
        let (status, head) = self.head().await?;
        let lower = head.to_lowercase();
        let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
        let length = length.unwrap_or(0);
        let mut body = Vec::with_capacity(length);
        while body.len() < length {
            body.extend(self.some(length - body.len()).await.expect("a whole body"));
        }
        Some(RawAnswer { status, head, body })
    }

    /// Reads until the end, which must come soon.
    pub async fn expect_the_end(&mut self) {
        let started = Instant::now();
        while self.some(64 * 1024).await.is_some() {
            assert!(started.elapsed() < TIMEOUT, "the server still sends");
        }
    }
}

impl RawAnswer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Asserts a refusal in the common form of failures, after which the connection is closed; returns its detail.
    pub fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{self:?}");
        assert_eq!(self.header("connection"), Some("close"), "{self:?}");
        assert!(self.header("x-request-id").is_some_and(|id| id.len() > 8), "{self:?}");
        let body: Value = serde_json::from_slice(&self.body).expect("JSON");
        assert_eq!(body["error"], format!("HTTP_{status}"));
        assert!(body["timestamp"].as_str().is_some_and(|at| DateTime::parse_from_rfc3339(at).is_ok()), "{body}");
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(3));
        body["detail"].as_str().expect("a text").to_owned()
    }
}
