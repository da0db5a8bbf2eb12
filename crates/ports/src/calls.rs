//! Calls to the services behind the ports, as an observer sees them.

use std::fmt;
use std::sync::Arc;

/// An observer of the calls to one service, such as a database.
#[derive(Clone)]
pub struct CallObserver(Arc<dyn Fn() -> FailureNote + Send + Sync>);

/// Notes the failure of a call in progress. The call ends with its drop.
pub type FailureNote = Box<dyn FnOnce() + Send>;

impl CallObserver {
    /// Creates an observer of a function that observes the beginning of a call.
    pub fn new(begin: impl Fn() -> FailureNote + Send + Sync + 'static) -> Self {
        Self(Arc::new(begin))
    }

    /// Creates an observer that ignores all calls, for a client that nobody watches.
    pub fn ignoring() -> Self {
        Self::new(|| Box::new(|| ()))
    }
}

impl fmt::Debug for CallObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallObserver").finish_non_exhaustive()
    }
}

/// Awaits a call, which `observer` sees. An error that is no failure by `is_failure` is an answer of the service.
///
/// # Errors
///
/// The error of the call.
pub async fn observed<T, E>(
    observer: &CallObserver,
    call: impl Future<Output = Result<T, E>>,
    is_failure: impl FnOnce(&E) -> bool,
) -> Result<T, E> {
    let note_failure = observer.0();
    let answer = call.await;
    if answer.as_ref().is_err_and(is_failure) {
        note_failure();
    }
    answer
}
