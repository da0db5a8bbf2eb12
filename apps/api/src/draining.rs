//! Whether this server is about to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this server is about to stop: it answers as before, says that it is not ready, and closes each connection after
/// its next answer, so that clients and load balancers go elsewhere before it takes no more connections.
#[derive(Debug, Default)]
pub struct Draining(AtomicBool);

impl Draining {
    /// From now on it is.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
