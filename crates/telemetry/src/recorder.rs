use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use sports_accounts::{ClientNetwork, CustomerId, hide_keys};
use sports_domain::Sport;
use tokio::time::Instant;

use crate::access_log::{AccessLog, Line};
use crate::metrics::{Metrics, Route};
use crate::request_id::RequestId;
use crate::trace::{RequestSpan, SpanSummary, TraceContext, TraceId, Traces};

/// The recorder of one worker's requests: it writes their lines in the access log and counts them.
#[derive(Clone)]
pub struct RequestRecorder(Rc<Sinks>);

struct Sinks {
    log: Option<AccessLog>,
    metrics: Arc<Metrics>,
    logs_clients: bool,
}

/// The facts about a request.
#[derive(Debug)]
pub struct RequestSummary<'a> {
    pub id: &'a RequestId,
    pub method: &'a str,
    /// The trace it is part of.
    pub trace: Option<TraceId>,
    /// The time from its head to the head of the response.
    pub took: Duration,
}

/// The facts about a response, as far as they are known.
#[derive(Debug, Default)]
pub struct ResponseSummary<'a> {
    /// The route of the request.
    pub route: Option<&'a Route>,
    /// The pattern of a route with this path and another method.
    pub near: Option<&'a str>,
    /// The league in the path.
    pub sport: Option<Sport>,
    /// The customer whose key the request has.
    pub customer: Option<CustomerId>,
    /// The address of the client.
    pub client: Option<IpAddr>,
    pub status: u16,
}

/// A request whose response is pending. It keeps what the record needs, because a panic drops the request.
pub struct PendingRequest {
    recorder: RequestRecorder,
    id: RequestId,
    started: Instant,
    trace: Option<TraceContext>,
    span: Option<RequestSpan>,
}

impl RequestRecorder {
    /// Creates a recorder with metrics, and with a log if there is one. With `logs_clients`, lines of the log have the network of
    /// the client.
    pub fn new(log: Option<AccessLog>, metrics: Arc<Metrics>, logs_clients: bool) -> Self {
        Self(Rc::new(Sinks { log, metrics, logs_clients }))
    }

    /// Counts a request and writes its line.
    pub fn record(&self, request: &RequestSummary<'_>, response: &ResponseSummary<'_>) {
        let Sinks { log, metrics, logs_clients } = &*self.0;
        let &RequestSummary { id, method, trace, took } = request;
        let &ResponseSummary { route, near, sport, customer, client, status } = response;
        metrics.requests.count(route, status, took);
        if let Some(log) = log.as_ref().filter(|_| AccessLog::is_enabled()) {
            let route = route.map(Route::pattern).or(near).unwrap_or(Route::NONE);
            let (method, request_id) = (&*hide_keys(method), id.as_str());
            let network = client.filter(|_| *logs_clients).map(ClientNetwork::from);
            log.write(&Line { method, route, status, took, customer, network, sport, request_id, trace });
        }
    }
}

impl PendingRequest {
    /// Begins the record of a request, in the trace of its caller if it has one. Where spans are exported, a request without a
    /// trace begins a new one, unless the sampler leaves it out.
    pub fn start(
        recorder: RequestRecorder,
        id: RequestId,
        caller: Option<TraceContext>,
        traces: Option<&Traces>,
    ) -> Self {
        let span = traces.and_then(|traces| traces.begin(caller.as_ref()));
        let trace = span.as_ref().map(RequestSpan::context).or(caller);
        Self { recorder, id, started: Instant::now(), trace, span }
    }

    /// Returns the id of the request.
    pub const fn id(&self) -> &RequestId {
        &self.id
    }

    /// Returns the trace of the request, for the parts that respond to it.
    pub const fn trace(&self) -> Option<&TraceContext> {
        self.trace.as_ref()
    }

    /// Records the response to a request with this method.
    pub fn finish(self, method: &str, response: &ResponseSummary<'_>) {
        let Self { recorder, id, started, trace, span } = self;
        let took = started.elapsed();
        let trace = trace.as_ref().map(TraceContext::id);
        recorder.record(&RequestSummary { id: &id, method, trace, took }, response);
        if let Some(span) = span {
            span.end(&SpanSummary {
                method: &hide_keys(method),
                route: response.route.map_or(Route::NONE, Route::pattern),
                status: response.status,
                sport: response.sport,
                request_id: id.as_str(),
            });
        }
    }
}
