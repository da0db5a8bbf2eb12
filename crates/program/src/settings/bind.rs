use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use sports_domain::FormError;

/// The place that a server listens at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bind {
    /// An address and a port; port 0 takes any free port.
    Address(SocketAddr),
    /// The path of a Unix socket.
    Socket(PathBuf),
}

/// The error of a text that names no place to listen at.
const NOT_A_BIND: FormError = FormError::fixed("neither an address and a port nor `unix:` and a path");

const SOCKET: &str = "unix:";

impl FromStr for Bind {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        match text.strip_prefix(SOCKET) {
            Some("") => Err(NOT_A_BIND),
            Some(path) => Ok(Self::Socket(path.into())),
            None => text.parse().map(Self::Address).map_err(|_| NOT_A_BIND),
        }
    }
}

impl fmt::Display for Bind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Socket(path) => write!(f, "{SOCKET}{}", path.display()),
        }
    }
}
