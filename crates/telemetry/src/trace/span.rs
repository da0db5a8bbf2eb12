use sports_domain::Sport;

use super::context::{SpanId, TraceContext};

/// A request and its response, as a span of a trace.
#[derive(Debug)]
pub struct Span {
    /// The trace, with this span as the parent of later ones.
    pub context: TraceContext,
    /// The span of the caller.
    pub caller: Option<SpanId>,
    /// The method, with keys masked.
    pub method: String,
    /// The pattern of the route.
    pub route: String,
    /// The status of the response.
    pub status: u16,
    /// The league in the path.
    pub sport: Option<Sport>,
    /// The id of the request.
    pub request_id: String,
    /// The start, in nanoseconds since 1970.
    pub begin: u64,
    /// The end, in nanoseconds since 1970.
    pub end: u64,
}
