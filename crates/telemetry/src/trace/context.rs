use std::borrow::Cow;
use std::fmt;

use sports_accounts::hide_keys;
use sports_ports::random_bytes;
use sports_system::SystemRandom;

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

/// The id of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(pub [u8; 16]);

/// The id of one span of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId(pub [u8; 8]);

/// A position in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    pub trace: TraceId,
    /// The span that is the parent of later ones.
    pub parent: SpanId,
    /// The flags. Bit 0 is the sampling flag: the caller records the trace.
    pub flags: u8,
    /// Additions of vendors, as received.
    pub state: Option<String>,
}

impl TraceContext {
    /// The sampling flag.
    const RECORDED: u8 = 1;

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
        let context = Self::parse(visible(parent)?)?;
        let states: Option<Vec<_>> = states.into_iter().map(visible).collect();
        let state = states.map(|states| states.join(",")).filter(|state| is_valid(state));
        Some(Self { state, ..context })
    }

    /// Parses a `traceparent`. Versions above 00 may end with more fields, which are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('-');
        let mut field = || fields.next();
        let [version] = bytes(field()?)?;
        let (trace, parent, [flags]) = (bytes(field()?)?, bytes(field()?)?, bytes(field()?)?);
        let is_known = version != 0xFF && (version != 0 || fields.next().is_none());
        let is_zero = trace == [0; 16] || parent == [0; 8];
        (is_known && !is_zero).then_some(Self { trace: TraceId(trace), parent: SpanId(parent), flags, state: None })
    }

    /// Creates the context of a span that is recorded here: in the caller's trace, or the first of a new trace. Returns `None`
    /// if the caller does not record its trace, or the system has no random numbers.
    pub fn recorded_after(caller: Option<&Self>) -> Option<Self> {
        let parent = SpanId(random_bytes(&SystemRandom).ok()?);
        if let Some(caller) = caller {
            return (caller.flags & Self::RECORDED != 0).then(|| Self { parent, ..caller.clone() });
        }
        let trace = TraceId(random_bytes(&SystemRandom).ok()?);
        Some(Self { trace, parent, flags: Self::RECORDED, state: None })
    }

    /// Returns the id of the trace.
    pub const fn id(&self) -> TraceId {
        self.trace
    }

    /// Returns the headers that pass the trace of the current task on; empty outside a trace.
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

/// Returns true if a `tracestate` may be passed on: it is short enough and contains no key.
fn is_valid(state: &str) -> bool {
    let is_short = (1..=TraceContext::LONGEST_STATE).contains(&state.len());
    is_short && matches!(hide_keys(state), Cow::Borrowed(_))
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
