//! The trace that a request is part of, by the W3C's Trace Context: read from its headers, named in its log line, and passed
//! on to the store and the price source by the task that answers it.

mod export;
mod otlp;

use std::borrow::Cow;
use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName};
use sports_accounts::hide_keys;
use sports_ports::random_bytes;
use sports_system::SystemRandom;

pub(crate) use export::Span;
pub use export::{BadVariable, Collector, SpanExport};

const PARENT: HeaderName = HeaderName::from_static("traceparent");
const STATE: HeaderName = HeaderName::from_static("tracestate");

tokio::task_local! {
    static CURRENT: TraceContext;
}

/// Does something as part of a trace, if there is one.
pub(crate) async fn within<T>(trace: Option<TraceContext>, work: impl Future<Output = T>) -> T {
    match trace {
        Some(trace) => CURRENT.scope(trace, Box::pin(work)).await,
        None => work.await,
    }
}

/// Makes work that another task does part of the current trace, if there is one.
pub(crate) fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    within(CURRENT.try_with(Clone::clone).ok(), work)
}

/// The number of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(pub [u8; 16]);

/// The number of one step of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId(pub [u8; 8]);

/// Where in a trace something is done, and what else comes along with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace.
    pub trace: TraceId,
    /// The step of it that everything from here on belongs to.
    pub parent: SpanId,
    /// Bit 0: whoever called records it.
    pub flags: u8,
    /// What vendors add, as it came.
    pub state: Option<String>,
}

impl TraceContext {
    /// Bit 0 of the flags.
    const RECORDED: u8 = 1;

    /// The most characters of a `tracestate` that are passed on.
    const LONGEST_STATE: usize = 512;

    /// What the headers of a request say. Without a `traceparent`, or with one that is malformed, the request is part of no
    /// trace, whatever its `tracestate` says.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let mut parents = headers.get_all(PARENT);
        let (parent, None) = (parents.next()?, parents.next()) else { return None };
        let context = Self::parse(parent.to_str().ok()?)?;
        let states: Option<Vec<_>> = headers.get_all(STATE).map(|state| state.to_str().ok()).collect();
        let state = states.map(|states| states.join(",")).filter(|state| is_sane(state));
        Some(Self { state, ..context })
    }

    /// Versions above 00 may have more fields at their end, which are not known.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('-');
        let mut field = || fields.next();
        let [version] = bytes(field()?)?;
        let (trace, parent, [flags]) = (bytes(field()?)?, bytes(field()?)?, bytes(field()?)?);
        let is_known = version != 0xFF && (version != 0 || fields.next().is_none());
        let is_zero = trace == [0; 16] || parent == [0; 8];
        (is_known && !is_zero).then_some(Self { trace: TraceId(trace), parent: SpanId(parent), flags, state: None })
    }

    /// A step that is recorded here: in the caller's trace, or the first of a new one. None where the caller does not record
    /// the trace, or the system has no random numbers.
    pub(crate) fn recorded_after(caller: Option<&Self>) -> Option<Self> {
        let parent = SpanId(random_bytes(&SystemRandom).ok()?);
        if let Some(caller) = caller {
            return (caller.flags & Self::RECORDED != 0).then(|| Self { parent, ..caller.clone() });
        }
        let trace = TraceId(random_bytes(&SystemRandom).ok()?);
        Some(Self { trace, parent, flags: Self::RECORDED, state: None })
    }

    /// The number of the trace.
    #[must_use]
    pub const fn id(&self) -> TraceId {
        self.trace
    }

    /// The headers by which the current task passes its trace on; none where it is part of none.
    #[must_use]
    pub fn headers() -> Vec<(&'static str, String)> {
        let headers = CURRENT.try_with(|current| {
            let parent = ("traceparent", current.to_string());
            std::iter::once(parent).chain(current.state.clone().map(|state| ("tracestate", state))).collect()
        });
        headers.unwrap_or_default()
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-{:02x}", self.trace, hex::encode(self.parent.0), self.flags & Self::RECORDED)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// So many bytes as lower-case hexadecimal digits.
fn bytes<const N: usize>(field: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let is_lower = !field.bytes().any(|byte| byte.is_ascii_uppercase());
    (is_lower && hex::decode_to_slice(field, &mut bytes).is_ok()).then_some(bytes)
}

/// Whether a `tracestate` may be handed to others: it is no longer than it may be, and holds no key.
fn is_sane(state: &str) -> bool {
    let is_short = (1..=TraceContext::LONGEST_STATE).contains(&state.len());
    is_short && matches!(hide_keys(state), Cow::Borrowed(_))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT_ID: &str = "00f067aa0ba902b7";

    fn context(lines: &[(HeaderName, &str)]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name.clone(), HeaderValue::from_str(value).expect("a header"));
        }
        TraceContext::from_headers(&headers)
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
            assert_eq!((read.id().to_string().as_str(), read.flags), (TRACE, flags));
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
            assert_eq!(context(&[(PARENT, &text), (STATE, "a=1")]), None, "{text}");
        }
        let text = format!("00-{TRACE}-{PARENT_ID}-01");
        assert_eq!(context(&[(PARENT, &text), (PARENT, &text)]), None, "one request has one parent");
    }

    #[tokio::test]
    async fn a_task_passes_its_trace_on_with_what_vendors_added_unless_that_holds_a_key() {
        let parent = format!("00-{TRACE}-{PARENT_ID}-01");
        let key = format!("a={}", sports_accounts::testing::a_key(1).reveal());
        let long = format!("a={}", "x".repeat(511));
        for (states, expected) in
            [(vec!["a=1", "b=2"], Some("a=1,b=2")), (vec![], None), (vec![key.as_str()], None), (vec![&long], None)]
        {
            let lines: Vec<_> =
                std::iter::once((PARENT, parent.as_str())).chain(states.iter().map(|state| (STATE, *state))).collect();
            let passed_on = within(context(&lines), async { TraceContext::headers() }).await;
            assert_eq!(passed_on[0], ("traceparent", parent.clone()));
            assert_eq!(passed_on.get(1).map(|(_, state)| state.as_str()), expected);
        }
        assert_eq!(TraceContext::headers(), []);
    }
}
