//! Traces for a collector, where the standard variables of OpenTelemetry name one. What a request has to do for it is to put
//! its span into a queue; a collector that fails, hangs or is slow costs spans and nothing else.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use sports_domain::Sport;
use sports_ports::in_one_line;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::otlp::export_request;
use super::{SpanId, TraceContext};
use crate::build::VERSION;

/// A request that was answered, as a step of its trace.
#[derive(Debug)]
pub(crate) struct Span {
    /// The trace; this step is what comes after it has for parent.
    pub context: TraceContext,
    /// The caller's step.
    pub came_from: Option<SpanId>,
    pub method: String,
    pub route: String,
    pub status: u16,
    pub sport: Option<Sport>,
    pub request_id: String,
    /// In nanoseconds since 1970.
    pub begin: u64,
    pub end: u64,
}

/// Where traces go, by the variables of OpenTelemetry.
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
    /// What the variables say; none where they name no collector.
    ///
    /// # Errors
    ///
    /// [`BadVariable`]; a value may be a secret and is not repeated.
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

/// Takes spans to a collector, several at a time.
pub struct SpanExport {
    queue: Sender<Span>,
    end: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SpanExport {
    /// How many spans wait for the collector at most; more are dropped.
    const WAITING: usize = 4096;

    /// How many go together at most.
    const TOGETHER: usize = 512;

    /// How long spans wait for others.
    const EVERY: Duration = Duration::from_secs(1);

    /// How long the collector may take.
    const PATIENCE: Duration = Duration::from_secs(10);

    /// How long it may take for the last spans.
    const LAST_PATIENCE: Duration = Duration::from_secs(2);

    /// Starts exporting to a collector.
    ///
    /// # Errors
    ///
    /// When connections cannot be set up.
    pub fn start(collector: Collector) -> Result<Arc<Self>, reqwest::Error> {
        let Collector { traces, headers, service } = collector;
        let http = Client::builder().timeout(Self::PATIENCE).default_headers(headers.into_iter().collect()).build()?;
        let (queue, mut waiting) = channel(Self::WAITING);
        let export = Arc::new(Self { queue, end: Notify::new(), task: Mutex::default() });
        let ending = Arc::clone(&export);
        let task = tokio::spawn(async move {
            let mut failing = false;
            loop {
                let is_last = timeout(Self::EVERY, ending.end.notified()).await.is_ok();
                while let Ok(first) = waiting.try_recv() {
                    let rest = std::iter::from_fn(|| waiting.try_recv().ok()).take(Self::TOGETHER - 1);
                    let spans: Vec<_> = std::iter::once(first).chain(rest).collect();
                    let body = export_request(&service, VERSION, &spans);
                    let sent =
                        http.post(traces.clone()).header(CONTENT_TYPE, "application/x-protobuf").body(body).send();
                    let outcome = sent.await.and_then(reqwest::Response::error_for_status);
                    failing = said(outcome.err().map(reqwest::Error::without_url).as_ref(), failing);
                }
                if is_last {
                    return;
                }
            }
        });
        *export.task() = Some(task);
        Ok(export)
    }

    /// Queues a span, unless too many wait.
    pub(crate) fn add(&self, span: Span) {
        drop(self.queue.try_send(span));
    }

    /// Sends what waits, for the last time.
    pub async fn finish(&self) {
        self.end.notify_one();
        let task = self.task().take();
        if let Some(task) = task {
            let _: Result<_, _> = timeout(Self::LAST_PATIENCE, task).await;
        }
    }

    fn task(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says once that spans do not arrive, and that they do again; gives whether they do not.
fn said(error: Option<&reqwest::Error>, was_failing: bool) -> bool {
    match (error, was_failing) {
        (Some(error), false) => {
            let causes = in_one_line(error);
            tracing::warn!(causes, "traces do not reach their collector: {causes}");
        }
        (None, true) => tracing::info!("traces reach their collector again"),
        _ => {}
    }
    error.is_some()
}
