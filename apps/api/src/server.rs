//! The listening program.

mod listener;
mod metrics_listener;
mod signals;
mod stopping;

use std::error::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};

use sports_settings::Settings;

use listener::Listener;
use metrics_listener::MetricsListener;
use stopping::Stopping;

use crate::api::Api;

/// Serves until SIGTERM or Ctrl-C, says for `http.drain` that it is not ready, then finishes the requests it has begun.
/// `greet` gets the address it listens on.
///
/// # Errors
///
/// When an address cannot be listened on, or the listening fails.
pub async fn serve(
    api: Api,
    settings: &Settings,
    greet: impl FnOnce(SocketAddr),
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let outcome = serve_measured(&api, settings, greet).await;
    api.end().await;
    // Figures are there to the last, so that the end can be watched.
    outcome.map(drop)
}

async fn serve_measured(
    api: &Api,
    settings: &Settings,
    greet: impl FnOnce(SocketAddr),
) -> Result<Option<MetricsListener>, Box<dyn Error + Send + Sync>> {
    let metrics = match (settings.metrics.bind, api.metrics()) {
        (Some(address), Some(metrics)) => Some(MetricsListener::start(address, metrics)?),
        _ => None,
    };
    let address = settings.http.bind;
    let listener = Listener::bind(address).map_err(|error| CannotListen { address, setting: API, error })?;
    let stopping = Stopping::on_signals(settings.http.drain, api.draining())?;
    if let Some(metrics) = &metrics {
        println!("metrics on http://{}/metrics", metrics.address());
    }
    println!("listening on http://{}", listener.address());
    greet(listener.address());
    listener.serve(api, &settings.http, stopping).await?;
    Ok(metrics)
}

/// How the address is set that the API listens on.
const API: &str = "--bind";

/// How the address is set that figures are read from.
const METRICS: &str = "`metrics.bind`";

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(*.address, .setting, .error))]
pub struct CannotListen {
    address: SocketAddr,
    setting: &'static str,
    error: io::Error,
}

fn reason(address: SocketAddr, setting: &str, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AddrInUse {
        let free = SocketAddr::new(address.ip(), 0);
        format!(
            "another program does; stop that one, or name another port with {setting}, such as {free} for any free one"
        )
    } else {
        format!("{error}; name another address with {setting}")
    }
}

/// Checks that the addresses can be listened on, before the program makes or starts anything that a failure would leave
/// behind.
///
/// # Errors
///
/// [`CannotListen`].
pub fn check_addresses(settings: &Settings) -> Result<(), CannotListen> {
    let addresses = [Some((settings.http.bind, API)), settings.metrics.bind.map(|address| (address, METRICS))];
    // Together: both may be the same one.
    let listening = addresses
        .into_iter()
        .flatten()
        .map(|(address, setting)| TcpListener::bind(address).map_err(|error| CannotListen { address, setting, error }));
    listening.collect::<Result<Vec<_>, _>>().map(drop)
}
