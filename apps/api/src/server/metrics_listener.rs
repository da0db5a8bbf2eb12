use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, HttpServer};

use super::{CannotListen, METRICS};
use sports_telemetry::metrics::Metrics;

/// Where Prometheus reads figures: `GET /metrics` and nothing else, on a thread of its own, until the drop.
pub(super) struct MetricsListener {
    address: SocketAddr,
    server: ServerHandle,
}

impl MetricsListener {
    /// Listens; port 0 takes any free port.
    ///
    /// # Errors
    ///
    /// When the address is taken or not this machine's.
    pub(super) fn start(address: SocketAddr, metrics: &Arc<Metrics>) -> Result<Self, CannotListen> {
        let failure = |error| CannotListen { address, setting: METRICS, error };
        let metrics = Data::from(Arc::clone(metrics));
        let application = move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(expose));
        let server = HttpServer::new(application).workers(1).disable_signals().bind(address).map_err(failure)?;
        let bound = server.addrs().first().copied().unwrap_or(address);
        let server = server.run();
        let handle = server.handle();
        tokio::spawn(server);
        Ok(Self { address: bound, server: handle })
    }

    /// Where it listens.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MetricsListener {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn expose(metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(metrics.expose())
}
