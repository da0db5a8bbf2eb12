use std::error::Error;

use reqwest::StatusCode;
use sports_ports::PortError;

use crate::bounds::{LARGEST_PAGE, MOST_PAGES, PATIENCE};

/// What logs and errors call the exchange.
pub(crate) const PORT: &str = "the prediction market";

/// The exchange cannot be reached: there is no connection, or it ended before an answer began.
///
/// A source of prices that fails for this reason says so with this error as the cause.
#[derive(Debug, thiserror::Error)]
#[error("it cannot be reached")]
pub struct Unreachable(#[source] pub Box<dyn Error + Send + Sync>);

/// Why a league could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("it cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("its answer ended too early")]
    CutShort(#[source] reqwest::Error),
    #[error("it answered {0}: it leads elsewhere, and only the address in prices.kalshi_url is asked")]
    Redirect(StatusCode),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("it took longer than {PATIENCE:?}")]
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
    /// Whether the same request may succeed in a moment.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            // Two connections that are waited for in vain are one too many for the time there is.
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
            // A refusal that will not pass.
            _ => Self::corrupt(PORT, failure),
        }
    }
}
