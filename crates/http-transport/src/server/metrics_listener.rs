use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, HttpServer};
use sports_telemetry::metrics::{CONTENT_TYPE, Metrics};

use super::listener::Listener;

/// The listener for Prometheus: it serves `GET /metrics` and nothing else, on a separate thread, until the drop.
pub struct MetricsListener {
    address: SocketAddr,
    server: ServerHandle,
}

impl MetricsListener {
    /// Serves at a listener.
    ///
    /// # Errors
    ///
    /// An error if the socket cannot be used.
    pub(super) fn start(listener: Listener, metrics: &Arc<Metrics>) -> io::Result<Self> {
        let address = listener.address();
        let metrics = Data::from(Arc::clone(metrics));
        let application = move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(expose));
        let server = HttpServer::new(application).workers(1).disable_signals().listen(listener.into_socket())?.run();
        let handle = server.handle();
        tokio::spawn(server);
        Ok(Self { address, server: handle })
    }

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
    HttpResponse::Ok().content_type(CONTENT_TYPE).body(metrics.expose())
}
