//! Traces for a collector of OpenTelemetry.

use std::io::Read as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use flate2::read::GzDecoder;
use reqwest::Method;
use serde_json::{Value, json};
use sports_testkit::services::{Redis, free_address};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{PARENT, TRACE};
use crate::service::{Answer, Service, Site, eventually};

/// A collector that keeps the requests it receives.
struct Collector {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Export>>>,
}

/// A request to a collector.
#[derive(Clone)]
struct Export {
    head: String,
    body: Vec<u8>,
}

impl Export {
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    /// Returns the body as it was before its compression.
    fn content(&self) -> Vec<u8> {
        if self.header("content-encoding").is_none() {
            return self.body.clone();
        }
        assert_eq!(self.header("content-encoding"), Some("gzip"));
        let mut content = Vec::new();
        GzDecoder::new(&*self.body).read_to_end(&mut content).expect("gzip");
        content
    }

    fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.content()).expect("JSON")
    }
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let received = Arc::<Mutex<Vec<Export>>>::default();
        let all = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = Vec::new();
                let end = loop {
                    if stream.read_buf(&mut request).await.is_ok_and(|count| count == 0) {
                        break None;
                    }
                    if let Some(end) = request.windows(4).position(|window| window == b"\r\n\r\n") {
                        break Some(end);
                    }
                };
                let Some(end) = end else { continue };
                let export = Export { head: String::from_utf8_lossy(&request[..end]).into_owned(), body: Vec::new() };
                let length: usize = export.header("content-length").expect("a length").parse().expect("a number");
                let mut body = request.split_off(end + 4);
                while body.len() < length && stream.read_buf(&mut body).await.is_ok_and(|count| count > 0) {}
                all.lock().expect("not poisoned").push(Export { body, ..export });
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
            }
        });
        Self { address, received }
    }

    fn exports(&self) -> Vec<Export> {
        self.received.lock().expect("not poisoned").clone()
    }

    /// Returns the spans of a trace, from requests with JSON.
    fn spans_of(&self, trace: &str) -> Vec<Value> {
        self.spans().into_iter().filter(|span| span["traceId"] == trace).collect()
    }

    fn spans(&self) -> Vec<Value> {
        let list = |value: &Value| value.as_array().expect("a list").clone();
        let bodies = self.exports().into_iter().map(|export| export.json());
        let resources = bodies.flat_map(|body| list(&body["resourceSpans"]));
        let scopes = resources.flat_map(|resource| list(&resource["scopeSpans"]));
        scopes.flat_map(|scope| list(&scope["spans"])).collect()
    }

    /// Starts a server that exports to this collector, often.
    async fn serve(&self, site: &Site, variables: &[(&str, &str)]) -> Service {
        let endpoint = format!("http://{}", self.address);
        let to = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
        site.serve_with(&[&to, variables].concat()).await
    }
}

const JSON: (&str, &str) = ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
const UNRECORDED: &str = "11112222333344445555666677778888";

fn results_in_trace(service: &Service, parent: &str) -> impl Future<Output = Answer> {
    Answer::to(service.keyed("/api/v1/results/nfl/over_under").header("traceparent", parent))
}

fn attribute(key: &str, value: &Value) -> Value {
    json!({ "key": key, "value": value })
}

#[tokio::test]
async fn a_collector_receives_spans_of_sampled_requests_only() {
    let collector = Collector::start().await;
    let site = Site::empty();
    let service = collector.serve(&site, &[JSON, ("OTEL_SERVICE_NAME", "sports-test")]).await;
    let unrecorded = PARENT.replace(TRACE, UNRECORDED).replace("-01", "-00");
    assert_eq!(results_in_trace(&service, &unrecorded).await.status, 404);
    assert_eq!(results_in_trace(&service, PARENT).await.status, 404);
    let of_request = || collector.spans_of(TRACE).into_iter().find(|span| span["parentSpanId"] == "00f067aa0ba902b7");
    eventually("the collector has the span", || of_request().is_some()).await;
    let span = of_request().expect("a span");
    assert_ne!(span["spanId"], span["parentSpanId"]);
    assert_eq!((&span["name"], &span["kind"]), (&json!("GET /api/v1/results/{sport}/{model_type}"), &json!(2)));
    for expected in [
        attribute("http.request.method", &json!({ "stringValue": "GET" })),
        attribute("http.route", &json!({ "stringValue": "/api/v1/results/{sport}/{model_type}" })),
        attribute("http.response.status_code", &json!({ "intValue": "404" })),
        attribute("sport", &json!({ "stringValue": "nfl" })),
    ] {
        assert!(span["attributes"].as_array().expect("a list").contains(&expected), "{expected} {span}");
    }
    service.stop();
    assert!(collector.spans_of(UNRECORDED).is_empty());
    assert!(collector.spans().len() > 1, "requests without a trace begin one");
    for export in collector.exports() {
        assert!(export.head.starts_with("POST /v1/traces HTTP/1.1"), "{}", export.head);
        let resource = export.json()["resourceSpans"][0]["resource"]["attributes"].take();
        let name = attribute("service.name", &json!({ "stringValue": "sports-test" }));
        let version = attribute("service.version", &json!({ "stringValue": env!("CARGO_PKG_VERSION") }));
        let resource = resource.as_array().expect("a list").clone();
        assert!(resource.contains(&name) && resource.contains(&version), "{resource:?}");
    }
}

#[tokio::test]
async fn the_standard_variables_are_obeyed() {
    let collector = Collector::start().await;
    let site = Site::empty();
    let variables = [
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20dXNlcjpwYXNz%3D,x-tenant=sports"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=canary,service.name=sports-canary"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
    ];
    let service = collector.serve(&site, &variables).await;
    assert_eq!(results_in_trace(&service, PARENT).await.status, 404);
    let trace = hex::decode(TRACE).expect("digits");
    let has = |content: &[u8], part: &[u8]| content.windows(part.len()).any(|window| window == part);
    let found = || collector.exports().into_iter().find(|export| has(&export.content(), &trace));
    eventually("the collector has the span", || found().is_some()).await;
    let export = found().expect("a request");
    assert_eq!(export.header("content-type"), Some("application/x-protobuf"));
    assert_eq!(export.header("content-encoding"), Some("gzip"));
    assert_eq!(export.header("authorization"), Some("Basic dXNlcjpwYXNz="));
    assert_eq!(export.header("x-tenant"), Some("sports"));
    for text in ["sports-canary", "deployment.environment", "canary", "GET /api/v1/results/{sport}/{model_type}"] {
        assert!(has(&export.content(), text.as_bytes()), "{text}");
    }
    service.stop();
}

// The collector answers while this thread waits for the end of the server.
#[tokio::test(flavor = "multi_thread")]
async fn a_sampler_by_ratio_decides_for_requests_without_a_caller_s_decision() {
    for (ratio, has_own) in [("0", false), ("1", true)] {
        let collector = Collector::start().await;
        let site = Site::empty();
        let sampler = ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio");
        let service = collector.serve(&site, &[JSON, sampler, ("OTEL_TRACES_SAMPLER_ARG", ratio)]).await;
        for _ in 0..20 {
            assert_eq!(service.get("/api/v1/sports").await.status, 200);
        }
        let unrecorded = PARENT.replace(TRACE, UNRECORDED).replace("-01", "-00");
        assert_eq!(results_in_trace(&service, &unrecorded).await.status, 404);
        assert_eq!(results_in_trace(&service, PARENT).await.status, 404);
        service.stop();
        let is_own = |span: &Value| ![TRACE, UNRECORDED].contains(&span["traceId"].as_str().expect("a text"));
        let own = collector.spans().iter().filter(|span| is_own(span)).count();
        assert_eq!(own >= 20, has_own, "{own} spans with ratio {ratio}");
        assert!(has_own || own == 0, "{own} spans with ratio {ratio}");
        assert!(!collector.spans_of(TRACE).is_empty() && collector.spans_of(UNRECORDED).is_empty(), "{ratio}");
    }
}

#[tokio::test]
async fn calls_to_database_store_and_redis_are_spans_of_the_request() {
    let Some(redis) = Redis::start().await else { return };
    let collector = Collector::start().await;
    let site = Site::on_one_machine();
    site.add_dataset("historical-odds", "nfl.csv", b"date,away,home\n");
    let (id, key) = site.customer("owner@example.com", "ai");
    site.entitle(&id, "historical-odds");
    let service = collector.serve(&site, &[JSON, ("SPORTS_LIMITS__REDIS", &redis.url())]).await;
    let refresh = service.with_key(&key).request(Method::POST, "/api/v1/service-sports-data/refresh");
    let refreshed = Answer::to(refresh).await.json();
    let url = refreshed["downloads"][0]["url"].as_str().expect("a link");
    assert_eq!(Answer::to(service.fetch(url).header("traceparent", PARENT)).await.status, 200);
    let of_request = || collector.spans_of(TRACE).into_iter().find(|span| span["kind"] == 2);
    eventually("the collector has the span", || of_request().is_some()).await;
    let request = of_request().expect("a span");
    let calls: Vec<_> = collector.spans_of(TRACE).into_iter().filter(|span| span["kind"] == 3).collect();
    for name in ["database", "store", "limits"] {
        let call = calls.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("no {name}: {calls:?}"));
        assert_eq!(call["parentSpanId"], request["spanId"], "{call}");
        let time =
            |span: &Value, name: &str| -> u64 { span[name].as_str().expect("a text").parse().expect("a number") };
        assert!(time(call, "startTimeUnixNano") >= time(&request, "startTimeUnixNano"), "{call} {request}");
        assert!(time(call, "endTimeUnixNano") >= time(call, "startTimeUnixNano"), "{call}");
    }
    service.stop();
}

#[tokio::test]
async fn a_hanging_collector_delays_neither_requests_nor_the_shutdown() {
    let hanging = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", hanging.local_addr().expect("an address"));
    let site = Site::empty();
    let service = site.serve_with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]).await;
    for _ in 0..200 {
        assert_eq!(service.get("/api/v1/sports").await.status, 200);
    }
    service.stop();
}

#[tokio::test]
async fn a_collector_that_refuses_is_in_the_log_once() {
    let gone = free_address(Ipv4Addr::LOCALHOST).expect("an address");
    let endpoint = format!("http://{gone}");
    let site = Site::empty();
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "50")];
    let service = site.serve_with(&variables).await;
    eventually("the log has it", || site.log().contains("traces do not reach their collector")).await;
    for _ in 0..5 {
        assert_eq!(service.get("/api/v1/sports").await.status, 200);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(site.log().matches("traces do not reach their collector").count(), 1, "{}", site.log());
    service.stop();
}

#[test]
fn a_malformed_variable_is_a_start_error_that_names_it() {
    let site = Site::empty();
    for (name, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:secret"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "secret"),
    ] {
        let mut command = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318").env(name, value);
        let output = command.output().expect("it runs");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(name) && !printed.contains("secret"), "{printed}");
    }
}
