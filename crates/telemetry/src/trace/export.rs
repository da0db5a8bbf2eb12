use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use sports_ports::in_one_line;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::otlp::export_request;
use super::span::Span;

/// A collector of traces, as the standard variables of OpenTelemetry name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    traces: Url,
    headers: Vec<(HeaderName, HeaderValue)>,
    service: String,
}

/// A variable of OpenTelemetry that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name} cannot be used: expected {expected}")]
pub struct BadVariable {
    name: &'static str,
    expected: &'static str,
}

impl Collector {
    /// Reads the variables; returns `None` if they name no collector.
    ///
    /// # Errors
    ///
    /// [`BadVariable`]. A value may be a secret, so the error does not contain it.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, BadVariable> {
        const BASE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        const TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
        const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let (name, address) = match (variable(TRACES), variable(BASE)) {
            (Some(whole), _) => (TRACES, whole),
            (None, Some(base)) => (BASE, format!("{}/v1/traces", base.trim_end_matches('/'))),
            (None, None) => return Ok(None),
        };
        let is_http = |address: &Url| matches!(address.scheme(), "http" | "https") && address.has_host();
        let traces = Url::parse(&address).ok().filter(is_http);
        let traces = traces.ok_or(BadVariable { name, expected: "an address, such as http://localhost:4318" })?;
        let header = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            Some((name.trim().parse().ok()?, value.trim().parse().ok()?))
        };
        let headers: Option<_> = variable(HEADERS).iter().flat_map(|all| all.split(',')).map(header).collect();
        let headers =
            headers.ok_or(BadVariable { name: HEADERS, expected: "names and values: name=value,name=value" })?;
        let service = variable("OTEL_SERVICE_NAME").unwrap_or_else(|| "sports-api".to_owned());
        Ok(Some(Self { traces, headers, service }))
    }
}

/// The export of spans to a collector. A request only queues its span; a collector that fails or is slow costs spans and
/// nothing else.
pub struct SpanExport {
    queue: Sender<Span>,
    end: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SpanExport {
    /// The most spans in the queue; further ones are dropped.
    const QUEUED: usize = 4096;

    /// The time between two requests to the collector, unless spans remain.
    const EVERY: Duration = Duration::from_secs(1);

    /// The time limit of the last requests, at shutdown.
    const LAST_TIMEOUT: Duration = Duration::from_secs(2);

    /// Starts exporting to a collector, as this version of the service.
    ///
    /// # Errors
    ///
    /// An error if the HTTP client cannot be set up.
    pub fn start(collector: Collector, version: &'static str) -> Result<Arc<Self>, reqwest::Error> {
        let (queue, mut spans) = channel(Self::QUEUED);
        let mut sender = SpanSender::new(collector, version)?;
        let export = Arc::new(Self { queue, end: Notify::new(), task: Mutex::default() });
        let ending = Arc::clone(&export);
        let task = tokio::spawn(async move {
            loop {
                let is_last = timeout(Self::EVERY, ending.end.notified()).await.is_ok();
                sender.send_queued(&mut spans).await;
                if is_last {
                    return;
                }
            }
        });
        *export.task() = Some(task);
        Ok(export)
    }

    /// Queues a span, or drops it if the queue is full.
    pub fn add(&self, span: Span) {
        drop(self.queue.try_send(span));
    }

    /// Sends the queued spans and ends the export.
    pub async fn finish(&self) {
        self.end.notify_one();
        let task = self.task().take();
        if let Some(task) = task {
            let _: Result<_, _> = timeout(Self::LAST_TIMEOUT, task).await;
        }
    }

    fn task(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The requests to a collector.
struct SpanSender {
    http: Client,
    traces: Url,
    service: String,
    version: &'static str,
    is_failing: bool,
}

impl SpanSender {
    /// The most spans of one request.
    const TOGETHER: usize = 512;

    /// The time limit of a request.
    const TIMEOUT: Duration = Duration::from_secs(10);

    fn new(collector: Collector, version: &'static str) -> Result<Self, reqwest::Error> {
        let Collector { traces, headers, service } = collector;
        let http = Client::builder().timeout(Self::TIMEOUT).default_headers(headers.into_iter().collect()).build()?;
        Ok(Self { http, traces, service, version, is_failing: false })
    }

    /// Sends all spans in the queue.
    async fn send_queued(&mut self, queued: &mut Receiver<Span>) {
        while let Ok(first) = queued.try_recv() {
            let rest = std::iter::from_fn(|| queued.try_recv().ok()).take(Self::TOGETHER - 1);
            let spans: Vec<_> = std::iter::once(first).chain(rest).collect();
            let body = export_request(&self.service, self.version, &spans);
            let request = self.http.post(self.traces.clone()).header(CONTENT_TYPE, "application/json").body(body);
            let sent = request.send().await.and_then(reqwest::Response::error_for_status);
            self.log_transition(sent.err().map(reqwest::Error::without_url).as_ref());
        }
    }

    /// Logs the first failure of a series, and the first success after it.
    fn log_transition(&mut self, error: Option<&reqwest::Error>) {
        match (error, self.is_failing) {
            (Some(error), false) => {
                let causes = in_one_line(error);
                tracing::warn!(causes, "traces do not reach their collector: {causes}");
            }
            (None, true) => tracing::info!("traces reach their collector again"),
            _ => {}
        }
        self.is_failing = error.is_some();
    }
}
