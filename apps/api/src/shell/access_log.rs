use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use tokio::time::Instant;
use tracing::Level;

use super::RequestId;

const TARGET: &str = "sports_api::access";

/// One line for one request. Paths and queries can hold keys, so the line names the route instead.
pub(super) struct AccessLog(Option<Noted>);

struct Noted {
    started: Instant,
    method: Method,
    id: RequestId,
}

impl AccessLog {
    pub(super) fn start(request: &ServiceRequest, id: &RequestId) -> Self {
        let wanted = tracing::enabled!(target: TARGET, Level::INFO);
        Self(wanted.then(|| Noted { started: Instant::now(), method: request.method().clone(), id: id.clone() }))
    }

    /// Writes the line. `route` is the pattern that matched, none for an unknown path or a panic.
    pub(super) fn finish(self, route: Option<&str>, status: StatusCode) {
        let Some(Noted { started, method, id }) = self.0 else { return };
        let route = route.unwrap_or("-");
        let status = status.as_u16();
        let ms = started.elapsed().as_secs_f64() * 1e3;
        tracing::info!(
            target: TARGET,
            %method,
            route,
            status,
            ms = format_args!("{ms:.3}"),
            request_id = %id,
            "{method} {route} answered {status}",
        );
    }
}
