use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use opentelemetry::Context;
use opentelemetry::trace::{
    SpanBuilder, SpanContext, SpanId, SpanKind, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry_sdk::trace::{SdkTracer, Span};
use sports_accounts::hide_keys;

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
    pub(super) const fn recorded(span: SpanContext, tracer: SdkTracer) -> Self {
        Self { span, tracer: Some(tracer) }
    }

    /// Returns the parent of later spans.
    pub(super) fn parent(&self) -> Context {
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

#[cfg(test)]
mod tests {
    use super::*;

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
