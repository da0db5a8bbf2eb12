use reqwest::StatusCode;
use sports_ports::PortError;

/// The reason why an answer is missing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("it cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("its answer ended too early")]
    CutShort(#[source] reqwest::Error),
    #[error("it answered {0}: it leads elsewhere, and requests go only to the address in the settings")]
    Redirect(StatusCode),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("it answered {0}: {1}")]
    Refused(StatusCode, &'static str),
    #[error("its answer is longer than {0} bytes")]
    TooLarge(usize),
    #[error("its answer is not {0}")]
    Form(&'static str),
}

impl Failure {
    /// Returns the error of a port with this name.
    pub(crate) fn of(self, port: &'static str) -> PortError {
        match self {
            Self::TooLarge(_) | Self::Form(_) => PortError::corrupt(port, self),
            _ => PortError::unavailable(port, self),
        }
    }
}
