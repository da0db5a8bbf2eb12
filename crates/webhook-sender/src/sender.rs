use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use sports_accounts::{Attempt, Delivery, Networks, Webhook};
use sports_ports::Clock;
use sports_ports::webhooks::{ATTEMPT_TIMEOUT, WebhookSender};
use tokio::time::timeout;
use url::Host;

use crate::networks::ReachableNetworks;
use crate::resolver::{CheckedResolver, Lookup, Refusal, system};
use crate::signature::signature;

/// The number of bytes of an answer that are read.
const READ: usize = 64 * 1024;

/// The sender of deliveries over HTTP.
pub struct HttpSender {
    client: Client,
    networks: Arc<ReachableNetworks>,
    /// The real time, by which receivers judge the age of a message.
    clock: Arc<dyn Clock>,
}

/// The reason why a sender cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The program did not install a crypto provider for TLS.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The HTTP client cannot be created.
    #[error("connections to webhooks cannot be set up")]
    Client(#[source] reqwest::Error),
}

impl HttpSender {
    /// Creates a sender to public addresses and those of `allowed`. `clock` has the real time.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if there is no cryptography, or the HTTP client cannot be created.
    pub fn new(allowed: Networks, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        Self::looking_up(allowed, clock, system())
    }

    fn looking_up(allowed: Networks, clock: Arc<dyn Clock>, lookup: Lookup) -> Result<Self, SetupError> {
        // Without a provider the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(SetupError::NoCryptoProvider);
        }
        let networks = Arc::new(ReachableNetworks::new(allowed));
        let client = Client::builder()
            .user_agent(concat!("sports-webhooks/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(CheckedResolver { networks: Arc::clone(&networks), lookup })
            .no_proxy()
            .redirect(Policy::none())
            .timeout(ATTEMPT_TIMEOUT)
            // An attempt is one request.
            .retry(reqwest::retry::never())
            // Each attempt has a look-up of its own.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(SetupError::Client)?;
        Ok(Self { client, networks, clock })
    }

    async fn attempt(&self, webhook: &Webhook, delivery: &Delivery) -> Result<u16, String> {
        let url = webhook.url.as_url();
        // Such a host needs no look-up, which would check it.
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        if address.is_some_and(|address| !self.networks.contain(address)) {
            return Err(Refusal::NotPublic.to_string());
        }
        let timestamp = self.clock.now().timestamp();
        let request = self
            .client
            .post(url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &delivery.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature(&webhook.secret, &delivery.id, timestamp, &delivery.payload))
            .body(delivery.payload.clone());
        let response = request.send().await.map_err(|error| reason(&error))?;
        let status = response.status().as_u16();
        read_some(response).await;
        Ok(status)
    }
}

/// Reads the beginning of a body, so that a receiver which still writes is not interrupted. What it has does not matter.
async fn read_some(mut response: Response) {
    let mut read = 0;
    while read < READ
        && let Ok(Some(chunk)) = response.chunk().await
    {
        read += chunk.len();
    }
}

/// Returns why there is no answer, in words that tell the owner of the webhook nothing about this machine.
fn reason(error: &reqwest::Error) -> String {
    let mut causes = std::iter::successors(Some(error as &dyn Error), |cause| (*cause).source());
    if let Some(refusal) = causes.find_map(|cause| cause.downcast_ref::<Refusal>()) {
        return refusal.to_string();
    }
    if error.is_timeout() {
        return format!("no answer within {} seconds", ATTEMPT_TIMEOUT.as_secs());
    }
    let mut causes = std::iter::successors(Some(error as &dyn Error), |cause| (*cause).source());
    if causes.any(<dyn Error>::is::<rustls::Error>) {
        return "no secure connection: the certificate or the handshake is not valid".to_owned();
    }
    if error.is_connect() { "no connection" } else { "the connection ended before the answer" }.to_owned()
}

#[async_trait]
impl WebhookSender for HttpSender {
    async fn send(&self, webhook: &Webhook, delivery: &Delivery, at: DateTime<Utc>) -> Attempt {
        // The client's own limit begins with the request; this one is for a look-up that hangs.
        let limit = ATTEMPT_TIMEOUT + std::time::Duration::from_secs(1);
        let answer = timeout(limit, self.attempt(webhook, delivery)).await;
        let answer = answer.unwrap_or_else(|_| Err(format!("no answer within {} seconds", ATTEMPT_TIMEOUT.as_secs())));
        Attempt { at, status: answer.as_ref().ok().copied(), error: answer.err() }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Mutex;
    use std::time::Duration;

    use sports_accounts::{CustomerId, WebhookEvent, WebhookId, WebhookUrl, testing};
    use sports_testkit::clock::ClockFake;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    fn at() -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000, 0).expect("an instant")
    }

    fn a_webhook(url: &str) -> Webhook {
        let url = WebhookUrl::parse(url, true).expect("an address");
        Webhook { url, ..testing::a_webhook(CustomerId::from_random([1; 10]), 1) }
    }

    fn a_delivery() -> Delivery {
        let payload = r#"{"type":"test"}"#.to_owned();
        Delivery::new("msg_1".to_owned(), WebhookId::from_random([1; 16]), WebhookEvent::Test, payload, at())
    }

    /// Looks a name up as one list after another, and the last one from then on.
    fn lookups(lists: &[&[&str]]) -> Lookup {
        let addresses =
            |list: &&[&str]| list.iter().map(|text| text.parse().expect("an address")).collect::<Vec<IpAddr>>();
        let lists = Mutex::new(lists.iter().map(addresses).rev().collect::<Vec<_>>());
        Arc::new(move |_| {
            let mut lists = lists.lock().expect("no panic");
            let next = if lists.len() > 1 { lists.pop() } else { lists.last().cloned() };
            Box::pin(async move { Ok(next.unwrap_or_default()) })
        })
    }

    fn sender(allowed: &str, lookup: Lookup) -> HttpSender {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let clock = Arc::new(ClockFake::at("2023-11-14T22:13:20Z"));
        HttpSender::looking_up(allowed.parse().expect("networks"), clock, lookup).expect("a sender")
    }

    /// Serves one answer to each connection, and returns the port and the requests.
    async fn receiver(answer: &'static str) -> (u16, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let seen = Arc::clone(&seen);
                tokio::spawn(async move {
                    let mut request = String::new();
                    let mut bytes = [0; 4096];
                    while !request.ends_with('}') {
                        let Ok(read @ 1..) = stream.read(&mut bytes).await else { return };
                        request.push_str(&String::from_utf8_lossy(&bytes[..read]));
                    }
                    seen.lock().expect("no panic").push(request);
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        (port, requests)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_delivery_is_signed_and_its_answer_decides() {
        let (port, requests) = receiver("HTTP/1.1 204 No Content\r\n\r\n").await;
        let sender = sender("127.0.0.0/8", lookups(&[&["127.0.0.1"]]));
        let webhook = a_webhook(&format!("http://hooks.example.com:{port}/sports?team=1"));
        let attempt = sender.send(&webhook, &a_delivery(), at()).await;
        assert_eq!(attempt, Attempt { at: at(), status: Some(204), error: None });
        let requests = requests.lock().expect("no panic").clone();
        let request = requests[0].to_ascii_lowercase();
        assert!(requests[0].starts_with("POST /sports?team=1 HTTP/1.1\r\n"), "{request}");
        for header in ["webhook-id: msg_1", "webhook-timestamp: 1700000000", "content-type: application/json"] {
            assert!(request.contains(header), "{request}");
        }
        let signed = signature(&webhook.secret, "msg_1", 1_700_000_000, r#"{"type":"test"}"#);
        assert!(requests[0].contains(&signed), "{request}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_is_sent_to_special_addresses_by_any_look_up() {
        let (port, requests) = receiver("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let lists: [&[&str]; 4] =
            [&["127.0.0.1"], &["8.8.8.8", "127.0.0.1"], &["::ffff:127.0.0.1"], &["64:ff9b::7f00:1"]];
        for list in lists {
            let sender = sender("", lookups(&[list]));
            let attempt = sender.send(&a_webhook(&format!("http://example.com:{port}/")), &a_delivery(), at()).await;
            assert_eq!(attempt.error, Some(Refusal::NotPublic.to_string()), "{list:?}");
        }
        for host in ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "[::ffff:7f00:1]", "0"] {
            let sender = sender("", lookups(&[&["8.8.8.8"]]));
            let attempt = sender.send(&a_webhook(&format!("http://{host}:{port}/")), &a_delivery(), at()).await;
            assert_eq!(attempt.error, Some(Refusal::NotPublic.to_string()), "{host}");
        }
        assert!(requests.lock().expect("no panic").is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_name_that_changes_its_address_is_checked_at_each_attempt() {
        let (port, requests) = receiver("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let sender = sender("127.0.0.1", lookups(&[&["127.0.0.1"], &["127.0.0.2"]]));
        let webhook = a_webhook(&format!("http://example.com:{port}/"));
        assert_eq!(sender.send(&webhook, &a_delivery(), at()).await.status, Some(200));
        assert_eq!(sender.send(&webhook, &a_delivery(), at()).await.error, Some(Refusal::NotPublic.to_string()));
        assert_eq!(requests.lock().expect("no panic").len(), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn redirects_are_not_followed() {
        let (elsewhere, requests) = receiver("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let moved = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:{elsewhere}/\r\ncontent-length: 0\r\n\r\n"
        );
        let (port, _) = receiver(moved.leak()).await;
        let sender = sender("127.0.0.1", lookups(&[&["127.0.0.1"]]));
        let attempt = sender.send(&a_webhook(&format!("http://example.com:{port}/")), &a_delivery(), at()).await;
        assert_eq!((attempt.status, attempt.is_success()), (Some(307), false));
        assert!(requests.lock().expect("no panic").is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_long_answer_is_not_read_to_its_end() {
        const LENGTH: usize = 64 << 20;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let written = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 4096];
            while !request.contains(&b'}') {
                assert!(stream.read(&mut request).await.expect("a request") > 0);
            }
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {LENGTH}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.expect("written");
            let (piece, mut written) = (vec![b'x'; 1 << 16], 0);
            while written < LENGTH && stream.write_all(&piece).await.is_ok() {
                written += piece.len();
            }
            written
        });
        let sender = sender("127.0.0.1", lookups(&[&["127.0.0.1"]]));
        let attempt = sender.send(&a_webhook(&format!("http://example.com:{port}/")), &a_delivery(), at()).await;
        assert_eq!(attempt.status, Some(200));
        let written = written.await.expect("no panic");
        assert!(written < LENGTH / 2, "{written}: what buffers hold");
    }

    #[tokio::test(start_paused = true)]
    async fn a_receiver_that_never_answers_ends_the_attempt() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                held.push(stream);
            }
        });
        let started = tokio::time::Instant::now();
        let sender = sender("127.0.0.1", lookups(&[&["127.0.0.1"]]));
        let attempt = sender.send(&a_webhook(&format!("http://example.com:{port}/")), &a_delivery(), at()).await;
        assert_eq!(attempt.error.as_deref(), Some("no answer within 10 seconds"));
        assert!(started.elapsed() <= Duration::from_secs(12));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_receiver_that_is_not_there_or_ends_is_named() {
        let sender = sender("127.0.0.1", lookups(&[&["127.0.0.1"], &[]]));
        let (port, _) = receiver("").await;
        let attempt = sender.send(&a_webhook(&format!("http://example.com:{port}/")), &a_delivery(), at()).await;
        assert_eq!(attempt.error.as_deref(), Some("the connection ended before the answer"));
        let attempt = sender.send(&a_webhook("http://example.com/"), &a_delivery(), at()).await;
        assert_eq!(attempt.error, Some(Refusal::NoAddress.to_string()));
        let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address").port();
        let attempt = sender.send(&a_webhook(&format!("http://127.0.0.1:{closed}/")), &a_delivery(), at()).await;
        assert_eq!(attempt.error.as_deref(), Some("no connection"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_up_that_hangs_ends() {
        let hanging: Lookup = Arc::new(|_| Box::pin(std::future::pending()));
        let started = tokio::time::Instant::now();
        let attempt = sender("", hanging).send(&a_webhook("https://example.com/"), &a_delivery(), at()).await;
        assert_eq!(attempt.error.as_deref(), Some("no answer within 10 seconds"));
        assert!(started.elapsed() <= Duration::from_secs(12));
    }
}
