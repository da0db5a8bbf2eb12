use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use sports_accounts::hide_keys;
use sports_domain::Sport;
use sports_ports::Clock;
use tokio::time::Instant;

use crate::metrics::Route;
use crate::request_id::RequestId;
use crate::trace::{Span, SpanExport, SpanId, TraceContext};

/// The trace that a request is part of, and its step of that where traces are exported.
pub(super) struct Spanning {
    context: Option<TraceContext>,
    recording: Option<Recording>,
}

struct Recording {
    export: Data<SpanExport>,
    came_from: Option<SpanId>,
    method: Method,
    begin: DateTime<Utc>,
    started: Instant,
}

impl Spanning {
    /// A request without a trace begins one where traces are exported. One that its caller does not record is not recorded.
    pub(super) fn start(request: &ServiceRequest, clock: &dyn Clock) -> Self {
        let given = TraceContext::from_headers(request.headers());
        let Some(export) = request.app_data::<Data<SpanExport>>() else {
            return Self { context: given, recording: None };
        };
        let came_from = given.as_ref().map(|given| given.parent);
        let Some(context) = TraceContext::recorded_after(given.as_ref()) else {
            return Self { context: given, recording: None };
        };
        let recording = Recording {
            export: export.clone(),
            came_from,
            method: request.method().clone(),
            begin: clock.now(),
            started: Instant::now(),
        };
        Self { context: Some(context), recording: Some(recording) }
    }

    /// What the log names and other parts are given.
    pub(super) const fn context(&self) -> Option<&TraceContext> {
        self.context.as_ref()
    }

    /// Ends the step.
    pub(super) fn finish(self, request: Option<&HttpRequest>, status: StatusCode, id: &RequestId) {
        let (Some(context), Some(recording)) = (self.context, self.recording) else { return };
        let Recording { export, came_from, method, begin, started } = recording;
        let route = request.and_then(HttpRequest::app_data).map_or(Route::NONE, Route::pattern);
        let begin = u64::try_from(begin.timestamp_nanos_opt().unwrap_or_default()).unwrap_or_default();
        let length = u64::try_from(started.elapsed().as_nanos()).unwrap_or_default();
        export.add(Span {
            context,
            came_from,
            method: hide_keys(method.as_str()).into_owned(),
            route: route.to_owned(),
            status: status.as_u16(),
            sport: request.and_then(|request| request.match_info().get("sport")?.parse::<Sport>().ok()),
            request_id: id.to_string(),
            begin,
            end: begin.saturating_add(length),
        });
    }
}
