use std::sync::atomic::{AtomicBool, Ordering};

/// The draining state of a server that is about to stop. A draining server responds as before, reports that it is not ready,
/// and closes each connection after its next response, so that clients and load balancers move to another server.
#[derive(Debug, Default)]
pub struct Draining(AtomicBool);

impl Draining {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true once the server drains.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
