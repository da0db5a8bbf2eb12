//! Calls to the services behind the ports, as an observer sees them.

use std::fmt;

/// An observer of the calls to one service, such as a database.
pub trait CallObserver: fmt::Debug + Send + Sync {
    /// Returns the observation of a call that begins. It ends with its drop.
    fn begin(&self) -> Box<dyn ObservedCall>;
}

/// The observation of a call in progress.
pub trait ObservedCall: Send {
    /// Notes that the call failed.
    fn fail(&mut self);
}

/// An observer that ignores all calls, for a client that nobody watches.
#[derive(Debug, Clone, Copy)]
pub struct Unobserved;

impl CallObserver for Unobserved {
    fn begin(&self) -> Box<dyn ObservedCall> {
        Box::new(Self)
    }
}

impl ObservedCall for Unobserved {
    fn fail(&mut self) {}
}

/// Awaits a call, which `observer` sees. An error that is no failure by `is_failure` is an answer of the service.
///
/// # Errors
///
/// The error of the call.
pub async fn observed<T, E>(
    observer: &dyn CallObserver,
    call: impl Future<Output = Result<T, E>>,
    is_failure: impl FnOnce(&E) -> bool,
) -> Result<T, E> {
    let mut ongoing = observer.begin();
    let answer = call.await;
    if answer.as_ref().is_err_and(is_failure) {
        ongoing.fail();
    }
    answer
}
