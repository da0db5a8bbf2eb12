use std::time::Duration;

use opentelemetry::trace::{Span as _, SpanBuilder, SpanKind, Status, Tracer as _, TracerProvider as _};
use opentelemetry::{Context, Key, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use sports_domain::Sport;

use super::collector::{BadVariable, CollectorClient, CollectorSettings};
use super::context::TraceContext;

/// The spans of the service, which are exported to a collector. A request only queues its spans; a collector that fails or is
/// slow costs spans and nothing else.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// The reason that traces cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Variable(#[from] BadVariable),
    /// The HTTP client cannot be set up.
    #[error("the HTTP client of the traces' collector cannot be set up")]
    Client(#[from] reqwest::Error),
    /// The exporter refuses its variables. Its own message may have their values.
    #[error("the variables of OpenTelemetry (OTEL_…) cannot be used together")]
    Exporter,
}

impl Traces {
    /// The time limit of the last requests, at shutdown.
    const LAST_TIMEOUT: Duration = Duration::from_secs(2);

    /// Exports spans of this version of the service, as the variables of OpenTelemetry say; `None` if they name no collector.
    ///
    /// # Errors
    ///
    /// [`SetupError`].
    pub fn from_environment(version: &'static str) -> Result<Option<Self>, SetupError> {
        let Some(settings) = CollectorSettings::from_variables(|name| std::env::var(name).ok())? else {
            return Ok(None);
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(CollectorClient::new(settings.timeout)?)
            .with_protocol(settings.protocol)
            .with_timeout(settings.timeout)
            .build()
            .map_err(|_| SetupError::Exporter)?;
        let provider =
            SdkTracerProvider::builder().with_resource(resource(version)).with_batch_exporter(exporter).build();
        let tracer = provider.tracer("sports-api");
        Ok(Some(Self { provider, tracer }))
    }

    /// Begins the span of a request, in the trace of its caller or as the first of a new one; `None` if the sampler leaves it
    /// out.
    pub(crate) fn begin(&self, caller: Option<&TraceContext>) -> Option<RequestSpan> {
        let parent = caller.map_or_else(Context::new, TraceContext::parent);
        let builder = SpanBuilder::from_name("request").with_kind(SpanKind::Server);
        let span = self.tracer.build_with_context(builder, &parent);
        span.is_recording().then(|| RequestSpan { span, tracer: self.tracer.clone() })
    }

    /// Exports the queued spans and ends the export.
    pub async fn finish(&self) {
        let provider = self.provider.clone();
        // A failure is in the log already.
        let end = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(Self::LAST_TIMEOUT));
        let _: Result<_, _> = tokio::time::timeout(Self::LAST_TIMEOUT, end).await;
    }
}

/// Returns the attributes of the service, with a name of its own if the environment has none.
fn resource(version: &'static str) -> Resource {
    let name = Key::from_static_str("service.name");
    let resource = Resource::builder().with_attribute(KeyValue::new("service.version", version));
    let is_unnamed =
        Resource::builder().build().get(&name).is_none_or(|name| name.as_str().starts_with("unknown_service"));
    if is_unnamed { resource.with_service_name("sports-api") } else { resource }.build()
}

/// The span of a request.
#[derive(Debug)]
pub(crate) struct RequestSpan {
    span: Span,
    tracer: SdkTracer,
}

/// The facts about a request and its response in their span.
pub(crate) struct SpanSummary<'a> {
    /// The method, with keys masked.
    pub method: &'a str,
    /// The pattern of the route.
    pub route: &'a str,
    pub status: u16,
    /// The league in the path.
    pub sport: Option<Sport>,
    pub request_id: &'a str,
}

impl RequestSpan {
    /// Returns the position of later spans.
    pub fn context(&self) -> TraceContext {
        TraceContext::recorded(self.span.span_context().clone(), self.tracer.clone())
    }

    /// Ends the span with the response.
    pub fn end(mut self, summary: &SpanSummary<'_>) {
        let &SpanSummary { method, route, status, sport, request_id } = summary;
        self.span.update_name(format!("{method} {route}"));
        self.span.set_attributes([
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("http.response.status_code", i64::from(status)),
            KeyValue::new("request_id", request_id.to_owned()),
        ]);
        self.span.set_attributes(sport.map(|sport| KeyValue::new("sport", sport.code())));
        if status >= 500 {
            self.span.set_status(Status::error(""));
        }
        self.span.end();
    }
}
