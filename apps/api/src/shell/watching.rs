use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use sports_accounts::{CustomerId, hide_keys};
use sports_domain::Sport;
use sports_ports::Clock;
use tokio::time::Instant;

use super::spanning::Spanning;
use crate::access_log::{AccessLog, Line};
use crate::metrics::{Metrics, Route};
use crate::request_id::RequestId;
use crate::trace::{TraceContext, TraceId};

/// What one worker watches requests with.
#[derive(Clone)]
pub(crate) struct Watcher(Rc<Parts>);

struct Parts {
    log: Option<AccessLog>,
    metrics: Option<Arc<Metrics>>,
}

/// One request that is being answered: its line in the log, its counts and its step of a trace.
pub(crate) struct Watching {
    watcher: Option<Watcher>,
    id: RequestId,
    method: Method,
    started: Instant,
    trace: Option<TraceId>,
    span: Spanning,
}

/// What became of a request, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Answered<'a> {
    /// The route that took it.
    pub(crate) route: Option<&'a Route>,
    /// The pattern of a route that has its path, but not its method.
    pub(crate) near: Option<&'a str>,
    /// The league that its path names.
    pub(crate) sport: Option<Sport>,
    /// Whose key came with it.
    pub(crate) customer: Option<CustomerId>,
    /// The status of the answer.
    pub(crate) status: StatusCode,
}

/// What is known of a request from its beginning, and how long it took.
pub(crate) struct Request<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) method: &'a Method,
    pub(crate) trace: Option<TraceId>,
    pub(crate) took: Duration,
}

impl Watcher {
    /// Writes to a log and counts, each where there is one.
    pub(crate) fn new(log: Option<AccessLog>, metrics: Option<Arc<Metrics>>) -> Self {
        Self(Rc::new(Parts { log, metrics }))
    }

    /// Counts a request and writes its line.
    pub(crate) fn note(&self, request: &Request<'_>, answered: &Answered<'_>) {
        let Self(parts) = self;
        let &Request { id, method, trace, took } = request;
        let &Answered { route, near, sport, customer, status } = answered;
        if let Some(metrics) = &parts.metrics {
            metrics.requests.count(route, status, took);
        }
        if let Some(log) = parts.log.as_ref().filter(|_| AccessLog::is_wanted()) {
            let route = route.map(Route::pattern).or(near).unwrap_or(Route::NONE);
            let (method, status, request_id) = (&*hide_keys(method.as_str()), status.as_u16(), id.as_str());
            log.write(&Line { method, route, status, took, customer, sport, request_id, trace });
        }
    }
}

impl Watching {
    /// From now on. Whatever its line needs is noted here: a panic takes the request with it.
    pub(crate) fn start(request: &ServiceRequest, clock: &dyn Clock) -> Self {
        let span = Spanning::start(request, clock);
        Self {
            watcher: request.app_data::<Watcher>().cloned(),
            id: RequestId::from_headers(request.headers()),
            method: request.method().clone(),
            started: Instant::now(),
            trace: span.context().map(TraceContext::id),
            span,
        }
    }

    /// The id of the request.
    pub(crate) const fn id(&self) -> &RequestId {
        &self.id
    }

    /// The trace that it is part of.
    pub(crate) const fn context(&self) -> Option<&TraceContext> {
        self.span.context()
    }

    /// Says what became of it.
    pub(crate) fn finish(self, answered: &Answered<'_>) {
        if let Some(watcher) = &self.watcher {
            let Self { id, method, trace, started, .. } = &self;
            watcher.note(&Request { id, method, trace: *trace, took: started.elapsed() }, answered);
        }
        self.span.finish(answered, &self.method, &self.id);
    }
}

/// The league that a path names.
pub(crate) fn sport_of(request: &HttpRequest) -> Option<Sport> {
    request.match_info().get("sport")?.parse().ok()
}
