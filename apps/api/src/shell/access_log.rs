use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use sports_accounts::{CustomerId, hide_keys};
use sports_domain::Sport;
use tokio::time::Instant;
use tracing::Level;

use crate::metrics::Route;
use crate::request_id::RequestId;
use crate::trace::{TraceContext, TraceId};

const TARGET: &str = "sports_api::access";

/// One line for one request. Paths and queries can hold keys, so the line names the route instead; so can a
/// method, which is masked.
pub(super) struct AccessLog(Option<Noted>);

struct Noted {
    started: Instant,
    method: Method,
    id: RequestId,
    trace: Option<TraceId>,
}

impl AccessLog {
    pub(super) fn start(request: &ServiceRequest, id: &RequestId, trace: Option<&TraceContext>) -> Self {
        let wanted = tracing::enabled!(target: TARGET, Level::INFO);
        Self(wanted.then(|| Noted {
            started: Instant::now(),
            method: request.method().clone(),
            id: id.clone(),
            trace: trace.map(TraceContext::id),
        }))
    }

    /// Writes the line. The route that matched and the league are from the request, which is gone after a panic
    /// outside of any scope.
    pub(super) fn finish(self, request: Option<&HttpRequest>, customer: Option<CustomerId>, status: StatusCode) {
        let Some(Noted { started, method, id, trace }) = self.0 else { return };
        let method = hide_keys(method.as_str());
        let taken_by = request.and_then(HttpRequest::app_data).map(Route::pattern);
        // Of a path that there is, but not with this method.
        let near = if taken_by.is_none() { request.and_then(HttpRequest::match_pattern) } else { None };
        let route = taken_by.or(near.as_deref()).unwrap_or(Route::NONE);
        let status = status.as_u16();
        let sport = request.and_then(|request| request.match_info().get("sport")?.parse::<Sport>().ok());
        tracing::info!(
            target: TARGET,
            method = &*method,
            route,
            status,
            ms = milliseconds(started),
            customer = customer.map(tracing::field::display),
            sport = sport.map(tracing::field::display),
            request_id = %id,
            trace_id = trace.map(tracing::field::display),
            "{method} {route} answered {status}",
        );
    }
}

/// How long ago that was, to the microsecond.
fn milliseconds(started: Instant) -> f64 {
    (started.elapsed().as_secs_f64() * 1e6).round() / 1e3
}
