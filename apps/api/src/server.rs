//! The listening program.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use sports_http_transport::{Listeners, Server, Worker};
use sports_settings::Settings;
use sports_system::print_line;

use crate::api::Api;
use crate::json::ErrorResponses;

/// Serves until SIGTERM, SIGHUP or Ctrl-C, reports for `http.drain` that it is not ready, then finishes pending requests.
/// `on_listening` receives the address of the listener, in the form of a link.
///
/// # Errors
///
/// An error if a worker cannot start.
pub async fn serve(
    api: Api,
    settings: &Settings,
    listeners: Listeners,
    on_listening: impl FnOnce(&str),
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = Server {
        refusals: Arc::new(ErrorResponses(api.clock())),
        tally: api.tally(),
        draining: api.draining(),
        metrics: api.metrics().cloned(),
        tasks: api.tasks(),
    };
    let of_workers = api.clone();
    let worker = move || {
        let worker = of_workers.worker();
        Worker { application: of_workers.app_of(&worker), cache: worker.cache().cloned() }
    };
    let announce = |url: &str, metrics: Option<SocketAddr>| {
        if let Some(metrics) = metrics {
            print_line!("metrics on http://{metrics}/metrics");
        }
        print_line!("listening on {url}");
        on_listening(url);
    };
    let outcome = server.serve(settings, listeners, worker, announce).await;
    api.end().await;
    // Metrics are served to the last, so that the shutdown can be observed.
    outcome.map(drop)
}
