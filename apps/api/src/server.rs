//! The listening program.

use std::io;
use std::net::SocketAddr;

use actix_web::HttpServer;
use sports_settings::Http;

use crate::api::Api;

/// How long a stopping server waits for the requests it has begun, in seconds.
const GRACE: u64 = 10;

/// Serves until SIGTERM, then finishes what it has begun. `greet` is told where it listens.
///
/// # Errors
///
/// When the address cannot be listened on, or the listening fails.
pub async fn serve(api: Api, http: &Http, greet: impl FnOnce(&[SocketAddr])) -> io::Result<()> {
    let outcome = listen(&api, http, greet).await;
    api.end().await;
    outcome
}

async fn listen(api: &Api, http: &Http, greet: impl FnOnce(&[SocketAddr])) -> io::Result<()> {
    let application = api.clone();
    let mut server = HttpServer::new(move || application.app()).tcp_nodelay(true).shutdown_timeout(GRACE);
    if let Some(workers) = http.workers {
        server = server.workers(workers.get());
    }
    let server = server
        .bind(http.bind)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {}: {error}", http.bind)))?;
    let addresses = server.addrs();
    for address in &addresses {
        println!("listening on http://{address}");
    }
    greet(&addresses);
    server.run().await
}
