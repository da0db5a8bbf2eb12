use reqwest::StatusCode;
use sports_ports::PortError;

use crate::PORT;
use crate::source::{LARGEST_PAGE, MOST_PAGES, PATIENCE};

/// Why a league could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("no whole answer came")]
    Transport(#[from] reqwest::Error),
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
            Self::Transport(_) => true,
            Self::Status(status) => *status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error(),
            _ => false,
        }
    }
}

impl From<Failure> for PortError {
    fn from(failure: Failure) -> Self {
        // A refusal that will not pass was made by a host that is there.
        if failure.may_pass() || matches!(failure, Failure::TooSlow) {
            Self::unavailable(PORT, failure)
        } else {
            Self::corrupt(PORT, failure)
        }
    }
}
