//! The listening program.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use sports_http_transport::{Listeners, Server, Worker};
use sports_program::print_line;
use sports_program::settings::Settings;

use crate::api;
use crate::json::ErrorResponses;
use crate::wiring::Service;

/// Serves until SIGTERM, SIGHUP or Ctrl-C, reports for `http.drain` that it is not ready, then finishes pending requests.
/// `on_listening` receives the address of the listener, in the form of a link.
///
/// # Errors
///
/// An error if a worker cannot start.
pub async fn serve(
    service: Service,
    settings: &Settings,
    listeners: Listeners,
    on_listening: impl FnOnce(&str),
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let operations = &service.state.operations;
    let server = Server {
        refusals: Arc::new(ErrorResponses(Arc::clone(&service.state.clock))),
        tally: Arc::clone(&operations.tally),
        draining: Arc::clone(&operations.draining),
        metrics: Arc::clone(&operations.metrics),
        tasks: Arc::clone(&operations.tasks),
    };
    let state = Arc::clone(&service.state);
    let worker = move || {
        let worker = api::Worker::new(&state);
        Worker { application: worker.app(), cache: worker.cache().cloned() }
    };
    let announce = |url: &str, metrics: Option<SocketAddr>| {
        if let Some(metrics) = metrics {
            print_line!("metrics on http://{metrics}/metrics");
        }
        print_line!("listening on {url}");
        on_listening(url);
    };
    let outcome = server.serve(settings, listeners, worker, announce).await;
    service.end().await;
    // Metrics are served to the last, so that the shutdown can be observed.
    outcome.map(drop)
}
