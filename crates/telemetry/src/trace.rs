//! The trace of a request, as W3C Trace Context defines it: read from its headers, named in its log line, sent along with
//! requests to the store and the price source, and exported to a collector of OpenTelemetry.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::trace::{
    Span as _, SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceState, Tracer,
    TracerProvider as _,
};
use opentelemetry::{Context, Key, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use reqwest::header::HeaderName;
use reqwest::{Client, Url};
use sports_accounts::hide_keys;
use sports_domain::Sport;
use sports_ports::error_chain;
use tokio::runtime::Handle;

use crate::log::SetupError;

pub use opentelemetry::trace::TraceId;

/// The settings of a collector that the library reads otherwise, or not strictly enough.
#[derive(Debug, PartialEq, Eq)]
struct CollectorSettings {
    pub protocol: Protocol,
    /// The time limit of a request.
    pub timeout: Duration,
}

impl CollectorSettings {
    /// The default of the specification.
    const TIMEOUT: Duration = Duration::from_secs(10);

    /// Reads the variables; returns `None` if they name no collector.
    ///
    /// # Errors
    ///
    /// [`SetupError`] for one that the library would ignore, or print with its value.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, SetupError> {
        // That of traces comes first.
        let first = |names: [&'static str; 2]| {
            let of = |name| Some((name, variable(name).filter(|value| !value.is_empty())?));
            names.into_iter().find_map(of)
        };
        let is_disabled = variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let endpoint = first(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]);
        let Some((name, address)) = endpoint.filter(|_| !is_disabled) else { return Ok(None) };
        let is_http = |address: &Url| matches!(address.scheme(), "http" | "https") && address.has_host();
        if !Url::parse(&address).is_ok_and(|address| is_http(&address)) {
            return Err(SetupError::Variable { name, expected: "an address, such as http://localhost:4318" });
        }
        if let Some((name, headers)) = first(["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]) {
            let is_header =
                |pair: &str| pair.split_once('=').is_some_and(|(name, _)| name.trim().parse::<HeaderName>().is_ok());
            if !headers.split(',').filter(|pair| !pair.trim().is_empty()).all(is_header) {
                return Err(SetupError::Variable { name, expected: "names and values: name=value,name=value" });
            }
        }
        let protocol = match first(["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
            None => Protocol::HttpBinary,
            Some((name, protocol)) => match protocol.as_str() {
                "http/protobuf" => Protocol::HttpBinary,
                "http/json" => Protocol::HttpJson,
                _ => return Err(SetupError::Variable { name, expected: "http/protobuf or http/json" }),
            },
        };
        let timeout = match first(["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]) {
            None => Self::TIMEOUT,
            Some((name, milliseconds)) => {
                let milliseconds = milliseconds.parse().ok().filter(|milliseconds| *milliseconds > 0);
                Duration::from_millis(
                    milliseconds.ok_or(SetupError::Variable { name, expected: "a number of milliseconds" })?,
                )
            }
        };
        Ok(Some(Self { protocol, timeout }))
    }
}

/// The client of a collector. It reports in the log when spans begin to get lost, and when they arrive again.
#[derive(Debug)]
struct CollectorClient {
    http: Client,
    /// The runtime of the requests: the exporter has a thread without one.
    runtime: Handle,
    is_failing: AtomicBool,
}

impl CollectorClient {
    /// Creates a client, whose requests run on the current runtime.
    pub fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        let http = Client::builder().timeout(timeout).build()?;
        Ok(Self { http, runtime: Handle::current(), is_failing: AtomicBool::new(false) })
    }

    /// Logs the first failure of a series, and the first success after it.
    fn log_transition(&self, failure: Option<String>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Relaxed);
        match (failure, was_failing) {
            (Some(causes), false) => tracing::warn!(causes, "traces do not reach their collector: {causes}"),
            (None, true) => tracing::info!("traces reach their collector again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let http = self.http.clone();
        let sent = self.runtime.spawn(async move {
            let answer = http.execute(request.try_into()?).await?;
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = answer.status();
            *response.headers_mut() = answer.headers().clone();
            *response.body_mut() = answer.bytes().await?;
            Ok::<_, reqwest::Error>(response)
        });
        let answer = sent.await?.map_err(reqwest::Error::without_url);
        self.log_transition(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("the collector answered {}", answer.status())),
            Err(error) => Some(error_chain(error)),
        });
        Ok(answer?)
    }
}

/// The header with the trace and the caller's span.
pub const PARENT: &str = "traceparent";

/// The header with additions of vendors.
pub const STATE: &str = "tracestate";

tokio::task_local! {
    static CURRENT: TraceContext;
}

/// Runs `work` as part of a trace, if there is one.
pub async fn within<T>(trace: Option<TraceContext>, work: impl Future<Output = T>) -> T {
    match trace {
        Some(trace) => CURRENT.scope(trace, Box::pin(work)).await,
        None => work.await,
    }
}

/// Makes `work`, which another task runs, part of the current trace, if there is one.
pub fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    within(CURRENT.try_with(Clone::clone).ok(), work)
}

/// Begins the span of a call in the trace of the current task; `None` if that is not recorded.
pub(crate) fn begin_call(name: &'static str) -> Option<Span> {
    let begin = |current: &TraceContext| {
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Client);
        Some(current.tracer.as_ref()?.build_with_context(builder, &current.parent()))
    };
    CURRENT.try_with(begin).ok().flatten()
}

/// A position in a trace.
#[derive(Debug, Clone)]
pub struct TraceContext {
    /// The span that is the parent of later ones.
    span: SpanContext,
    /// The tracer that records later spans; `None` if the trace is not recorded here.
    tracer: Option<SdkTracer>,
}

impl TraceContext {
    /// The most characters of a `tracestate` that is passed on.
    const LONGEST_STATE: usize = 512;

    /// Reads the values of all [`PARENT`] and [`STATE`] headers of a request. Returns `None` without exactly one parent that is
    /// well-formed, whatever the state.
    pub fn from_headers<'a>(
        parents: impl IntoIterator<Item = &'a [u8]>,
        states: impl IntoIterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let mut parents = parents.into_iter();
        let (parent, None) = (parents.next()?, parents.next()) else { return None };
        let Self { span, .. } = Self::parse(visible(parent)?)?;
        let states: Option<Vec<_>> = states.into_iter().map(visible).collect();
        let state = states.map(|states| states.join(",")).and_then(|state| parsed_state(&state)).unwrap_or_default();
        let span = SpanContext::new(span.trace_id(), span.span_id(), span.trace_flags(), true, state);
        Some(Self { span, tracer: None })
    }

    /// Parses a `traceparent`. Versions above 00 may end with more fields, which are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('-');
        let mut field = || fields.next();
        let [version] = bytes(field()?)?;
        let (trace, parent, [flags]) = (bytes(field()?)?, bytes(field()?)?, bytes(field()?)?);
        let is_known = version != 0xFF && (version != 0 || fields.next().is_none());
        let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
        let (trace, parent) = (TraceId::from_bytes(trace), SpanId::from_bytes(parent));
        let span = SpanContext::new(trace, parent, flags, true, TraceState::default());
        (is_known && span.is_valid()).then_some(Self { span, tracer: None })
    }

    /// Returns the context of a span that `tracer` records.
    const fn recorded(span: SpanContext, tracer: SdkTracer) -> Self {
        Self { span, tracer: Some(tracer) }
    }

    /// Returns the parent of later spans.
    fn parent(&self) -> Context {
        Context::new().with_remote_span_context(self.span.clone())
    }

    /// Returns the id of the trace.
    pub fn id(&self) -> TraceId {
        self.span.trace_id()
    }

    /// Returns the headers that pass the trace of the current task on; empty outside a trace.
    pub fn headers() -> Vec<(&'static str, String)> {
        let headers = CURRENT.try_with(|current| {
            let state = current.span.trace_state().header();
            let state = (!state.is_empty()).then_some((STATE, state));
            std::iter::once((PARENT, current.to_string())).chain(state).collect()
        });
        headers.unwrap_or_default()
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = &self.span;
        write!(f, "00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags())
    }
}

/// Returns the text of a header; `None` if it has other bytes than visible ASCII characters, spaces and tabs.
fn visible(value: &[u8]) -> Option<&str> {
    let is_visible = value.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    str::from_utf8(value).ok().filter(|_| is_visible)
}

/// Parses `N` bytes in lower-case hexadecimal digits.
fn bytes<const N: usize>(field: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let is_lower = !field.bytes().any(|byte| byte.is_ascii_uppercase());
    (is_lower && hex::decode_to_slice(field, &mut bytes).is_ok()).then_some(bytes)
}

/// Parses a `tracestate`; `None` if it may not be passed on, because it is malformed, too long or contains a key.
fn parsed_state(state: &str) -> Option<TraceState> {
    let is_harmless = state.len() <= TraceContext::LONGEST_STATE && matches!(hide_keys(state), Cow::Borrowed(_));
    let members: Vec<_> = state.split(',').map(str::trim).filter(|member| !member.is_empty()).collect();
    TraceState::from_str(&members.join(",")).ok().filter(|_| is_harmless)
}

/// The spans of the service, which are exported to a collector. A request only queues its spans; a collector that fails or is
/// slow costs spans and nothing else.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<CollectorSettings>, String> {
        let variable =
            |name: &str| variables.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
        CollectorSettings::from_variables(variable).map_err(|error| error.to_string())
    }

    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");

    #[test]
    fn a_collector_has_the_defaults_of_the_specification() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "")]), Ok(None));
        assert_eq!(read(&[ENDPOINT, ("OTEL_SDK_DISABLED", "true")]), Ok(None));
        let settings = CollectorSettings { protocol: Protocol::HttpBinary, timeout: Duration::from_secs(10) };
        assert_eq!(read(&[ENDPOINT]), Ok(Some(settings)));
        let variables =
            [ENDPOINT, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"), ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2500")];
        let settings = CollectorSettings { protocol: Protocol::HttpJson, timeout: Duration::from_millis(2_500) };
        assert_eq!(read(&variables), Ok(Some(settings)));
    }

    #[test]
    fn a_malformed_variable_is_named_without_its_value() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:secret"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=secret,secret"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc-secret"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10 secret"),
        ] {
            let refused = read(&[ENDPOINT, (name, value)]).expect_err(name);
            assert!(refused.contains(name) && !refused.contains("secret"), "{refused}");
        }
    }

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    const PARENT_ID: &str = "00f067aa0ba902b7";

    fn context(lines: &[(&str, &str)]) -> Option<TraceContext> {
        let all = |wanted| lines.iter().filter(move |(name, _)| *name == wanted).map(|(_, value)| value.as_bytes());
        TraceContext::from_headers(all(PARENT), all(STATE))
    }

    #[test]
    fn a_well_formed_parent_is_read() {
        for (text, flags) in [
            (format!("00-{TRACE}-{PARENT_ID}-01"), 1),
            (format!("00-{TRACE}-{PARENT_ID}-00"), 0),
            (format!("cc-{TRACE}-{PARENT_ID}-01"), 1),
            (format!("cc-{TRACE}-{PARENT_ID}-01-what-is-to-come"), 1),
        ] {
            let read = context(&[(PARENT, &text)]).expect("a context");
            assert_eq!((read.id().to_string().as_str(), read.span.trace_flags().to_u8()), (TRACE, flags));
            assert_eq!(read.to_string(), format!("00-{TRACE}-{PARENT_ID}-{flags:02x}"));
        }
    }

    #[test]
    fn a_malformed_parent_is_none() {
        let parents = [
            format!("00-{TRACE}-{PARENT_ID}"),
            format!("00-{TRACE}-{PARENT_ID}-01-more"),
            format!("00-{TRACE}-{PARENT_ID}-01-"),
            format!("ff-{TRACE}-{PARENT_ID}-01"),
            format!("0-{TRACE}-{PARENT_ID}-01"),
            format!("00-{}-{PARENT_ID}-01", TRACE.to_uppercase()),
            format!("00-{}-{PARENT_ID}-01", &TRACE[1..]),
            format!("00-{}-{PARENT_ID}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}-{PARENT_ID}-1"),
            format!("00-{TRACE}-{PARENT_ID}-0x"),
            format!(" 00-{TRACE}-{PARENT_ID}-01"),
            String::new(),
        ];
        for text in parents {
            assert!(context(&[(PARENT, &text), (STATE, "a=1")]).is_none(), "{text}");
        }
        let text = format!("00-{TRACE}-{PARENT_ID}-01");
        assert!(context(&[(PARENT, &text), (PARENT, &text)]).is_none(), "one request has one parent");
    }

    #[tokio::test]
    async fn a_task_passes_its_trace_on_with_what_vendors_added_unless_that_holds_a_key() {
        let parent = format!("00-{TRACE}-{PARENT_ID}-01");
        let key = format!("a={}", sports_accounts::testing::a_key(1).reveal());
        let long = ["a", "b", "c"].map(|key| format!("{key}={}", "x".repeat(200))).join(",");
        for (states, expected) in [
            (vec!["a=1", " b=2,,c@d=e"], Some("a=1,b=2,c@d=e")),
            (vec!["A=1"], None),
            (vec![], None),
            (vec![key.as_str()], None),
            (vec![&long], None),
        ] {
            let lines: Vec<_> =
                std::iter::once((PARENT, parent.as_str())).chain(states.iter().map(|state| (STATE, *state))).collect();
            let passed_on = within(context(&lines), async { TraceContext::headers() }).await;
            assert_eq!(passed_on[0], ("traceparent", parent.clone()));
            assert_eq!(passed_on.get(1).map(|(_, state)| state.as_str()), expected);
        }
        assert_eq!(TraceContext::headers(), []);
    }
}
