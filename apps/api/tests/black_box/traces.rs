//! The trace that a request is part of, and its propagation to other services.

mod otlp;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use sports_testkit::programs::{TestFolder, fixture};
use sports_testkit::services::S3Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::service::{Answer, Site, eventually};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A proxy that records the bytes it forwards.
struct Recorder {
    address: SocketAddr,
    received: Arc<Mutex<String>>,
}

impl Recorder {
    async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let received = Arc::<Mutex<String>>::default();
        let all = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(server).await else { continue };
                let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
                    (client.into_split(), server.into_split());
                let all = Arc::clone(&all);
                tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
                tokio::spawn(async move {
                    let mut bytes = vec![0; 64 * 1024];
                    while let Ok(count @ 1..) = from_client.read(&mut bytes).await {
                        all.lock().expect("not poisoned").push_str(&String::from_utf8_lossy(&bytes[..count]));
                        if to_server.write_all(&bytes[..count]).await.is_err() {
                            break;
                        }
                    }
                });
            }
        });
        Self { address, received }
    }

    fn has_received(&self, text: &str) -> bool {
        self.received.lock().expect("not poisoned").contains(text)
    }
}

#[tokio::test]
async fn the_log_line_of_a_request_names_its_trace_and_a_malformed_one_is_ignored() {
    let site = Site::empty();
    let service = site.serve_with_arguments(&["--log-format", "json"]).await;
    for (id, parent) in [("traced", PARENT), ("malformed", "00-4bf92f-00f067aa0ba902b7-01")] {
        let request = service.keyed("/api/v1/sports").header("traceparent", parent).header("x-request-id", id);
        assert_eq!(Answer::to(request).await.status, 200);
    }
    service.stop();
    let log = site.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let trace_of = |id: &str| {
        let line = lines.iter().find(|line| line["request_id"] == id).expect("a line");
        line.get("trace_id").map(|trace| trace.as_str().expect("text").to_owned())
    };
    assert_eq!((trace_of("traced").as_deref(), trace_of("malformed")), (Some(TRACE), None));
}

// A publisher goes through the recorder while this thread waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn the_store_receives_the_trace_of_the_request() {
    let server = S3Server::start();
    let recorder = Recorder::before(server.address()).await;
    let place = TestFolder::fresh().with("SPORTS_STORE__URL", format!("s3://{}/live", server.fresh_bucket()));
    let variables = S3Server::variables_at(&format!("http://{}", recorder.address));
    let place = variables.into_iter().fold(place, |place, (name, value)| place.with(name, value));
    let site = Site::at(place);
    for name in ["nfl-2023-week-18", "edge-cases"] {
        site.publish_fixture(name);
    }
    let service = site.serve().await;
    service.until("/api/v1/results/nfl/over_under", |page| page.text().contains("2024-25")).await;
    assert!(!recorder.has_received("traceparent"), "following the log is part of no trace");
    let older = service.keyed("/api/v1/results/nfl/over_under?season=2023-24");
    let older = older.header("traceparent", PARENT).header("tracestate", "vendor=1");
    assert_eq!(Answer::to(older).await.status, 200);
    assert!(recorder.has_received(&format!("traceparent: {PARENT}")) && recorder.has_received("tracestate: vendor=1"));
}

#[tokio::test]
async fn the_prediction_market_receives_the_trace_of_the_request() {
    let market = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let recorder = Recorder::before(market.local_addr().expect("an address")).await;
    let site = Site::empty();
    site.publish(&fixture("nfl-2023-week-18-slate").join("release"));
    let url = format!("http://{}", recorder.address);
    let service =
        site.serve_with(&[("SPORTS_PRICES__KALSHI_URL", &url), ("SPORTS_CLOCK__AS_OF", "2024-01-06T15:00:00Z")]).await;
    let request = service.keyed("/api/v1/markets/nfl").header("traceparent", PARENT);
    // The market never answers: the request to it is sufficient.
    let pending = tokio::spawn(request.send());
    eventually("the market received the trace", || recorder.has_received(PARENT)).await;
    pending.abort();
}
