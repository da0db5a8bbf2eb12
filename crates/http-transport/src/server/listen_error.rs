use std::io;
use std::net::SocketAddr;

/// The setting of the address that the API listens on.
pub(super) const API: &str = "--bind";

/// The setting of the address that metrics are read from.
pub(super) const METRICS: &str = "`metrics.bind`";

/// The reason that the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(*.address, .setting, .error))]
pub struct ListenError {
    pub(super) address: SocketAddr,
    pub(super) setting: &'static str,
    pub(super) error: io::Error,
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
