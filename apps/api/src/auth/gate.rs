use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::{HttpMessage, HttpRequest};

/// Whether a request's key has been accepted yet. Left in the request's extensions.
#[derive(Clone, Default)]
pub(super) struct Gate(Rc<Cell<bool>>);

impl Gate {
    /// Holds back what comes after the key among a handler's arguments.
    pub(super) fn close(request: &HttpRequest) -> Self {
        let gate = Self::default();
        request.extensions_mut().insert(gate.clone());
        gate
    }

    pub(super) fn open(&self) {
        self.0.set(true);
    }

    fn is_open(&self) -> bool {
        self.0.get()
    }
}

/// An extractor that waits for the key.
///
/// A handler's arguments are extracted at the same time, and the first failure is the answer. A lookup
/// that takes a moment would lose to a malformed parameter: the same request would be 400 today and 401
/// tomorrow. So whatever follows the key in the argument list is held back until the key is accepted.
/// All arguments are polled together and in order, so the key's own wake-up is enough.
#[derive(Debug)]
pub struct Gated<F> {
    gate: Option<Gate>,
    inner: F,
}

impl<F> Gated<F> {
    /// Waits for the key, if the handler took one before this argument.
    pub fn behind_auth(request: &HttpRequest, inner: F) -> Self {
        Self { gate: request.extensions().get().cloned(), inner }
    }
}

impl<F: Future + Unpin> Future for Gated<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if self.gate.as_ref().is_none_or(Gate::is_open) {
            Pin::new(&mut self.inner).poll(context)
        } else {
            Poll::Pending
        }
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_open() { "Gate(open)" } else { "Gate(closed)" })
    }
}
