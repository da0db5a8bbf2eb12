//! Traces for a collector of OpenTelemetry.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{PARENT, TRACE};
use crate::service::{Answer, Service, Site, eventually};

/// Starts a collector that records the bodies it receives.
async fn collector() -> (SocketAddr, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let bodies = Arc::<Mutex<Vec<Vec<u8>>>>::default();
    let all = Arc::clone(&bodies);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            let body = loop {
                if stream.read_buf(&mut request).await.is_ok_and(|count| count == 0) {
                    break None;
                }
                let text = String::from_utf8_lossy(&request).into_owned();
                let Some(head) = text.find("\r\n\r\n") else { continue };
                let length =
                    text.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
                // Heads are ASCII, so the place is the same in bytes.
                let body = &request[head + 4..];
                if length.is_some_and(|length: usize| body.len() >= length) {
                    assert!(text.starts_with("POST /v1/traces HTTP/1.1"), "{text}");
                    assert!(text.to_lowercase().contains("content-type: application/json"), "{text}");
                    break Some(body.to_vec());
                }
            };
            all.lock().expect("not poisoned").extend(body);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
        }
    });
    (address, bodies)
}

async fn exporting(site: &Site, collector: SocketAddr) -> Service {
    let endpoint = format!("http://{collector}");
    site.serve_with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), ("OTEL_SERVICE_NAME", "sports-test")]).await
}

#[tokio::test]
async fn a_collector_receives_spans_of_sampled_requests_only() {
    let (address, bodies) = collector().await;
    let site = Site::empty();
    let service = exporting(&site, address).await;
    let ask =
        |parent: String| Answer::to(service.keyed("/api/v1/results/nfl/over_under").header("traceparent", parent));
    let unrecorded = "11112222333344445555666677778888";
    assert_eq!(ask(PARENT.replace(TRACE, unrecorded).replace("-01", "-00")).await.status, 404);
    assert_eq!(ask(PARENT.to_owned()).await.status, 404);
    let spans = || -> Vec<Value> {
        let bodies = bodies.lock().expect("not poisoned");
        let mut spans = Vec::new();
        for body in bodies.iter() {
            let body: Value = serde_json::from_slice(body).expect("JSON");
            for resource in body["resourceSpans"].as_array().expect("a list") {
                let service = json!({ "key": "service.name", "value": { "stringValue": "sports-test" } });
                assert_eq!(resource["resource"]["attributes"][0], service);
                let scopes = resource["scopeSpans"].as_array().expect("a list").iter();
                spans.extend(scopes.flat_map(|scope| scope["spans"].as_array().expect("a list").clone()));
            }
        }
        spans
    };
    let of_trace = |trace: &str| spans().into_iter().filter(|span| span["traceId"] == trace).collect::<Vec<_>>();
    eventually("the collector has the span", || !of_trace(TRACE).is_empty()).await;
    let span = &of_trace(TRACE)[0];
    assert_eq!(span["parentSpanId"], "00f067aa0ba902b7");
    assert_ne!(span["spanId"], span["parentSpanId"]);
    assert_eq!(span["name"], "GET /api/v1/results/{sport}/{model_type}");
    let sport = json!({ "key": "sport", "value": { "stringValue": "nfl" } });
    assert!(span["attributes"].as_array().expect("a list").contains(&sport), "{span}");
    service.stop();
    assert!(of_trace(unrecorded).is_empty());
    assert!(spans().len() > 1, "requests without a trace begin one");
}

#[tokio::test]
async fn a_hanging_collector_delays_neither_requests_nor_the_shutdown() {
    let hanging = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let site = Site::empty();
    let service = exporting(&site, hanging.local_addr().expect("an address")).await;
    for _ in 0..200 {
        assert_eq!(service.get("/api/v1/sports").await.status, 200);
    }
    service.stop();
}

#[test]
fn a_malformed_collector_address_is_a_start_error_that_names_the_variable() {
    let site = Site::empty();
    let mut command = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    let output = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:secret").output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("OTEL_EXPORTER_OTLP_ENDPOINT") && !printed.contains("secret"), "{printed}");
}
