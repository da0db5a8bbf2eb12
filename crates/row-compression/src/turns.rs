use std::thread;
use std::time::{Duration, Instant};

/// How long a thread works before others may have its core: less than the system would give it.
const LONGEST: Duration = Duration::from_millis(1);

/// Long work in turns with other threads, which may be answering requests on the same core.
pub struct Turns {
    began: Instant,
}

impl Turns {
    pub fn begin() -> Self {
        Self { began: Instant::now() }
    }

    /// Says that this is a place to stop at.
    pub fn may_end(&mut self) {
        if self.began.elapsed() >= LONGEST {
            thread::yield_now();
            self.began = Instant::now();
        }
    }
}
