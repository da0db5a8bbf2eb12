//! The trace of a request, as W3C Trace Context defines it: read from its headers, named in its log line, sent along with
//! requests to the store and the price source, and exported to a collector.

mod context;
mod export;
mod otlp;
mod span;

pub use context::{PARENT, STATE, SpanId, TraceContext, TraceId, carried, within};
pub use export::{BadVariable, Collector, SpanExport};
pub use span::Span;
