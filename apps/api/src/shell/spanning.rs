use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use sports_accounts::hide_keys;
use sports_ports::Clock;
use tokio::time::Instant;

use super::watching::Answered;
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
        let recording = Recording { export: export.clone(), came_from, begin: clock.now(), started: Instant::now() };
        Self { context: Some(context), recording: Some(recording) }
    }

    /// What the log names and other parts are given.
    pub(super) const fn context(&self) -> Option<&TraceContext> {
        self.context.as_ref()
    }

    /// Ends the step.
    pub(super) fn finish(self, answered: &Answered<'_>, method: &Method, id: &RequestId) {
        let (Some(context), Some(recording)) = (self.context, self.recording) else { return };
        let Recording { export, came_from, begin, started } = recording;
        let begin = u64::try_from(begin.timestamp_nanos_opt().unwrap_or_default()).unwrap_or_default();
        let length = u64::try_from(started.elapsed().as_nanos()).unwrap_or_default();
        export.add(Span {
            context,
            came_from,
            method: hide_keys(method.as_str()).into_owned(),
            route: answered.route.map_or(Route::NONE, Route::pattern).to_owned(),
            status: answered.status.as_u16(),
            sport: answered.sport,
            request_id: id.to_string(),
            begin,
            end: begin.saturating_add(length),
        });
    }
}
