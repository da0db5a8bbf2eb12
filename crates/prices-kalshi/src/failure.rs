use std::error::Error;

use reqwest::StatusCode;
use sports_ports::PortError;

use crate::bounds::{LARGEST_PAGE, MOST_PAGES, READ_TIMEOUT};

/// The name of the exchange in logs and errors.
pub(crate) const PORT: &str = "the prediction market";

/// The error for an unreachable host: no connection, or one that ended before a response began.
///
/// A source of prices that fails for this reason has this error as the cause of its failure.
#[derive(Debug, thiserror::Error)]
#[error("it cannot be reached")]
pub struct Unreachable(#[source] pub Box<dyn Error + Send + Sync>);

/// The reason why a league could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("it cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("its answer ended too early")]
    CutShort(#[source] reqwest::Error),
    #[error("it answered {0}: it leads elsewhere, and requests go only to the address in prices.kalshi_url")]
    Redirect(StatusCode),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("it took longer than {READ_TIMEOUT:?}")]
    TooSlow,
    #[error("its answer is not a page of markets")]
    NotAPage(#[from] serde_json::Error),
    #[error("a page is larger than {LARGEST_PAGE} bytes")]
    TooLarge,
    #[error("a page names an earlier one as the next")]
    RepeatedCursor,
    #[error("there are more than {MOST_PAGES} pages")]
    TooManyPages,
}

impl Failure {
    /// Returns `true` if the same request may succeed soon.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            // A second connection timeout would exceed the time limit for the league.
            Self::Unreachable(error) => !error.is_timeout(),
            Self::CutShort(_) => true,
            Self::Status(status) => *status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error(),
            _ => false,
        }
    }
}

impl From<Failure> for PortError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Unreachable(error) => Self::unavailable(PORT, Unreachable(error.into())),
            Failure::TooSlow => Self::unavailable(PORT, failure),
            _ if failure.may_pass() => Self::unavailable(PORT, failure),
            // A permanent refusal.
            _ => Self::corrupt(PORT, failure),
        }
    }
}
