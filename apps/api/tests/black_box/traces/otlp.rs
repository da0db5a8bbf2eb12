//! Traces for a collector of OpenTelemetry.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

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
                    break Some(body.to_vec());
                }
            };
            all.lock().expect("not poisoned").extend(body);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
        }
    });
    (address, bodies)
}

/// The fields of a message of Protocol Buffers, by its specification: numbers, and the bytes of those that have a length.
fn fields(mut bytes: &[u8]) -> Vec<(u64, &[u8])> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().expect("a number ends");
            *bytes = rest;
            number |= u64::from(first & 0x7F) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                return number;
            }
        }
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let length = match key & 7 {
            0 => {
                let _ = varint(&mut bytes);
                0
            }
            1 => 8,
            2 => usize::try_from(varint(&mut bytes)).expect("small"),
            kind => panic!("no kind of field: {kind}"),
        };
        let (field, rest) = bytes.split_at(length);
        bytes = rest;
        found.push((key >> 3, field));
    }
    found
}

fn only<'a>(field: u64, message: &[(u64, &'a [u8])]) -> Vec<&'a [u8]> {
    message.iter().filter(|(number, _)| *number == field).map(|(_, bytes)| *bytes).collect()
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
    let spans = || -> Vec<Vec<u8>> {
        let bodies = bodies.lock().expect("not poisoned");
        let resources: Vec<_> = bodies.iter().flat_map(|body| only(1, &fields(body))).collect();
        assert!(resources.iter().all(|resource| String::from_utf8_lossy(resource).contains("sports-test")));
        let scopes = resources.iter().flat_map(|resource| only(2, &fields(resource)));
        scopes.flat_map(|scope| only(2, &fields(scope))).map(<[u8]>::to_vec).collect()
    };
    let trace = hex(TRACE);
    let of_trace = |spans: &[Vec<u8>], trace: &[u8]| {
        spans.iter().filter(|span| only(1, &fields(span)) == [trace]).cloned().collect::<Vec<_>>()
    };
    eventually("the collector has the span", || !of_trace(&spans(), &trace).is_empty()).await;
    let ours = of_trace(&spans(), &trace);
    let span = fields(&ours[0]);
    assert_eq!(only(4, &span), [hex("00f067aa0ba902b7")]);
    assert_ne!(only(2, &span), only(4, &span));
    assert_eq!(only(5, &span), [b"GET /api/v1/results/{sport}/{model_type}"]);
    assert!(only(9, &span).iter().any(|attribute| *attribute == b"\n\x05sport\x12\x05\n\x03nfl"), "{span:?}");
    service.stop();
    assert!(of_trace(&spans(), &hex(unrecorded)).is_empty());
    assert!(spans().len() > 1, "requests without a trace begin one");
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits")).collect()
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
