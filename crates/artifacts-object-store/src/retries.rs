use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use object_store::client::{HttpError, HttpErrorKind, HttpResponse};
use tokio::time::Instant;

/// A callback for each transient error of a store. Its argument is the reason.
pub type OnRetry = Arc<dyn Fn(&str) + Send + Sync>;

/// The transient errors of a store: the time of the latest, and the callback that receives them.
#[derive(Clone)]
pub struct PassingErrors {
    on_retry: OnRetry,
    latest: Arc<Mutex<Option<Instant>>>,
}

impl PassingErrors {
    pub fn reported_to(on_retry: OnRetry) -> Self {
        Self { on_retry, latest: Arc::default() }
    }

    /// Records a response after which the client retries the request.
    pub fn note(&self, answer: &Result<HttpResponse, HttpError>) {
        let reason = match answer {
            Ok(answer) if answer.status().is_server_error() || [408, 429].contains(&answer.status().as_u16()) => {
                answer.status().to_string()
            }
            Err(error)
                if matches!(
                    error.kind(),
                    HttpErrorKind::Connect | HttpErrorKind::Request | HttpErrorKind::Interrupted
                ) =>
            {
                "no connection".to_owned()
            }
            _ => return,
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        (self.on_retry)(&reason);
    }

    /// Returns the time of the latest error.
    pub fn latest(&self) -> Option<Instant> {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PassingErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PassingErrors").field("latest", &self.latest()).finish_non_exhaustive()
    }
}
