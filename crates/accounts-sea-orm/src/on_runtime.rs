use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

/// A future that is polled and dropped in the context of one runtime, whichever runtime awaits it.
///
/// A pooled connection depends on the runtime in whose context it was opened, and on the one that returns it to the pool.
/// The runtime of an HTTP worker ends with the worker, while requests on other workers still use the pool.
pub(crate) struct OnRuntime<F> {
    /// `Some` until the drop.
    work: Option<Pin<Box<F>>>,
    runtime: Handle,
}

impl<F: Future> OnRuntime<F> {
    pub fn new(runtime: &Handle, work: F) -> Self {
        // Statements are large futures.
        Self { work: Some(Box::pin(work)), runtime: runtime.clone() }
    }
}

impl<F: Future> Future for OnRuntime<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { work, runtime } = &mut *self;
        let _entered = runtime.enter();
        work.as_mut().map_or(Poll::Pending, |work| work.as_mut().poll(context))
    }
}

impl<F> Drop for OnRuntime<F> {
    /// Drops the work in the context of the runtime: its connection is returned to the pool by a task.
    fn drop(&mut self) {
        let _entered = self.runtime.enter();
        self.work = None;
    }
}
