//! The listening program.

mod listener;

use std::error::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};

use sports_settings::Http;

use listener::Listener;

use crate::api::Api;

/// How long a stopping server waits for the requests it has begun, in seconds.
const GRACE: u64 = 10;

/// Serves until SIGTERM, then finishes the requests it has begun. `greet` gets the address it listens on.
///
/// # Errors
///
/// When the address cannot be listened on, or the listening fails.
pub async fn serve(api: Api, http: &Http, greet: impl FnOnce(SocketAddr)) -> Result<(), Box<dyn Error + Send + Sync>> {
    let outcome = listen(&api, http, greet).await;
    api.end().await;
    outcome
}

async fn listen(api: &Api, http: &Http, greet: impl FnOnce(SocketAddr)) -> Result<(), Box<dyn Error + Send + Sync>> {
    let listener = Listener::bind(http.bind).map_err(|error| CannotListen { address: http.bind, error })?;
    println!("listening on http://{}", listener.address());
    greet(listener.address());
    Ok(listener.serve(api, http, GRACE).await?)
}

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(*.address, .error))]
pub struct CannotListen {
    address: SocketAddr,
    error: io::Error,
}

fn reason(address: SocketAddr, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AddrInUse {
        let free = SocketAddr::new(address.ip(), 0);
        format!("another program does; stop that one, or name another port, such as --bind {free} for any free one")
    } else {
        format!("{error}; name another address with --bind")
    }
}

/// Checks that an address can be listened on, before the program makes or starts anything that a failure would leave
/// behind.
///
/// # Errors
///
/// [`CannotListen`].
pub fn check_address(address: SocketAddr) -> Result<(), CannotListen> {
    TcpListener::bind(address).map(drop).map_err(|error| CannotListen { address, error })
}
