//! `sports-api healthcheck`: the check of a container's health.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use reqwest::StatusCode;
use sports_program::settings::{Bind, Settings};

/// The most time that the answer may take: less than the time between two checks.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The path that is requested: what it answers depends on the process alone.
const PATH: &str = "/api/v1/liveness";

/// The reason that a server does not pass the check.
#[derive(Debug, thiserror::Error)]
pub enum Unhealthy {
    /// Another status than 200.
    #[error("{url} answered {status}")]
    Status {
        /// The address that was requested.
        url: String,
        status: StatusCode,
    },
    /// No answer.
    #[error("no server answers at {url}: `http.bind` names the address that is checked")]
    Silent {
        /// The address that was requested.
        url: String,
        /// The failure of the request.
        source: reqwest::Error,
    },
}

/// Requests the liveness of the server that listens at `http.bind` on this machine.
///
/// # Errors
///
/// [`Unhealthy`] where it does not answer with 200.
pub async fn run(settings: &Settings) -> Result<(), Unhealthy> {
    let is_encrypted = settings.tls.certificate.is_some();
    let scheme = if is_encrypted { "https" } else { "http" };
    let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT);
    // This machine asks itself, by an address that no certificate names.
    let client = client.tls_danger_accept_invalid_certs(is_encrypted);
    let (url, client) = match &settings.http.bind {
        Bind::Address(address) => (format!("{scheme}://{}{PATH}", reachable(*address)), client),
        #[cfg(unix)]
        Bind::Socket(path) => (format!("{scheme}://localhost{PATH}"), client.unix_socket(path.as_path())),
        #[cfg(not(unix))]
        Bind::Socket(_) => (format!("{scheme}://localhost{PATH}"), client),
    };
    let failure = |source| Unhealthy::Silent { url: url.clone(), source };
    let client = client.build().map_err(failure)?;
    let status = client.get(&url).send().await.map_err(failure)?.status();
    if status == StatusCode::OK { Ok(()) } else { Err(Unhealthy::Status { url, status }) }
}

/// Returns the address at which this machine reaches a listener: one on all interfaces is reached by the loopback.
fn reachable(bind: SocketAddr) -> SocketAddr {
    let loopback = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(loopback, bind.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_interfaces_is_reached_by_the_loopback() {
        for (bind, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:81", "[::1]:81"),
            ("10.0.0.7:82", "10.0.0.7:82"),
            ("127.0.0.1:83", "127.0.0.1:83"),
        ] {
            assert_eq!(reachable(bind.parse().expect("an address")).to_string(), reached);
        }
    }
}
