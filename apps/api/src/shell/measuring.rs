use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use tokio::time::Instant;

use crate::metrics::{Metrics, Route};

/// Counts one request, where anything is counted.
pub(super) struct Measuring(Option<(Data<Metrics>, Instant)>);

impl Measuring {
    pub(super) fn start(request: &ServiceRequest) -> Self {
        Self(request.app_data::<Data<Metrics>>().map(|metrics| (metrics.clone(), Instant::now())))
    }

    /// The route that took it is known to the request, which is gone after a panic outside of any scope.
    pub(super) fn finish(self, request: Option<&HttpRequest>, status: StatusCode) {
        let Some((metrics, started)) = self.0 else { return };
        metrics.requests.count(request.and_then(HttpRequest::app_data::<Route>), status, started.elapsed());
    }
}
