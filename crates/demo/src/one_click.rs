//! The address that opens the page with the key.

use std::fmt::Write;
use std::process::{Command, Stdio};

use sports_ports::{PortError, Random, random_bytes};

/// A token for one exchange, too long to guess.
pub(super) struct Token(String);

impl Token {
    /// Draws a token.
    pub(super) fn draw(random: &dyn Random) -> Result<Self, PortError> {
        let bytes: [u8; 32] = random_bytes(random)?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The program that opens an address in the browser of its user.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens an address in a browser; returns false if that cannot be started.
pub(super) fn open(address: &str) -> bool {
    let mut command = Command::new(OPENER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
