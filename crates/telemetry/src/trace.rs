//! The trace of a request, as W3C Trace Context defines it: read from its headers, named in its log line, sent along with
//! requests to the store and the price source, and exported to a collector of OpenTelemetry.

mod collector;
mod context;
mod traces;

pub use collector::BadVariable;
pub(crate) use context::begin_call;
pub use context::{PARENT, STATE, TraceContext, carried, within};
pub use opentelemetry::trace::TraceId;
pub(crate) use traces::{RequestSpan, SpanSummary};
pub use traces::{SetupError, Traces};
